/* Included before everything that mypyc writes.
 *
 * When objects hold objects hold objects, CPython frees those below the fiftieth later, and
 * keeps them until then by a field that only objects known to the garbage collector have.
 * mypyc uses this "trashcan" for all its classes, also for those declared acyclic, which have
 * no such field: what stands before them in memory would be overwritten.
 *
 * None of our objects needs it: the longest chain is a line of moves, MAX_PLY long.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#undef Py_TRASHCAN_BEGIN
#undef Py_TRASHCAN_END
#define Py_TRASHCAN_BEGIN(object, dealloc) do {
#define Py_TRASHCAN_END } while (0);
