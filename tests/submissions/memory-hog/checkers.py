"""Takes memory in pieces, until there is no more."""

pieces = []
while True:
    pieces.append(bytearray(b"\x01") * (16 << 20))
