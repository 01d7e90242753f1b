"""The programs to be graded: their files and how they are started."""
