"""Image files, as an administrator uploads them."""

import struct
import zlib
from io import BytesIO

from PIL import Image


def picture(size=(800, 400), kind="PNG", colour=(200, 30, 40), **options):
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, kind, **options)
    return out.getvalue()


def png_that_claims(width, height):
    """Return a small PNG whose header claims more pixels than it has."""
    content = picture((8, 8))
    header = b"IHDR" + struct.pack(">II", width, height) + content[24:29]
    return content[:12] + header + struct.pack(">I", zlib.crc32(header)) + content[33:]
