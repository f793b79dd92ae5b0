"""Small pictures made on the server: text and stars drawn with Pillow, and uploads made safe."""

import math
import re
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, ImageOps

FONT = Path(__file__).parent / "fonts" / "Inter-SemiBold.ttf"
# Letters of the font: Latin, Greek, Cyrillic, and their punctuation.
_UNWRITABLE = re.compile(
    "[^\u0020-\u007e\u00a0-\u024f\u0300-\u052f\u1e00-\u1eff\u2010-\u2044\u20a0-\u20bf\u2116\u2122]"
)

# For SVG: five stars side by side, each in a square of 20 units.
FIVE_STARS = (
    "M10 1.4L12.3 7.4L18.7 7.8L13.7 11.8L15.4 18L10 14.5L4.6 18L6.3 11.8L1.3 7.8L7.7 7.4zM30 "
    "1.4L32.3 7.4L38.7 7.8L33.7 11.8L35.4 18L30 14.5L24.6 18L26.3 11.8L21.3 7.8L27.7 7.4zM50 "
    "1.4L52.3 7.4L58.7 7.8L53.7 11.8L55.4 18L50 14.5L44.6 18L46.3 11.8L41.3 7.8L47.7 7.4zM70 "
    "1.4L72.3 7.4L78.7 7.8L73.7 11.8L75.4 18L70 14.5L64.6 18L66.3 11.8L61.3 7.8L67.7 7.4zM90 "
    "1.4L92.3 7.4L98.7 7.8L93.7 11.8L95.4 18L90 14.5L84.6 18L86.3 11.8L81.3 7.8L87.7 7.4z"
)

Colour = str  # Like `#1d2421`.

# Formats that browsers and Pillow read, and that hold no code.
UPLOAD_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
UPLOAD_BYTES = 2 * 1024 * 1024
UPLOAD_PIXELS = 16_000_000  # Decoded, each takes four bytes.


class UnusableImage(ValueError):
    """An upload that is no picture, or too large; says so in a sentence."""


@lru_cache(maxsize=16)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font of all drawn text, `size` pixels high."""
    return ImageFont.truetype(FONT, size)


def is_writable(text: str) -> bool:
    """Whether the font has all characters of a text."""
    return not _UNWRITABLE.search(text)


def fitted(text: str, size: int, width: int, *, least: int) -> tuple[str, ImageFont.FreeTypeFont]:
    """Text and font of at most `size` pixels that fit into `width`.

    Below `least` pixels the text is cut instead, and ends with an ellipsis.
    """
    while size > least and font(size).getlength(text) > width:
        size -= 2
    if font(size).getlength(text) > width:
        while text and font(size).getlength(f"{text}…") > width:
            text = text[:-1].rstrip()
        text = f"{text}…"
    return text, font(size)


def draw_stars(
    image: Image.Image,
    at: tuple[int, int],
    size: int,
    rating: float,
    colours: tuple[Colour, Colour],
) -> None:
    """Draw five stars, each `size` pixels wide, of which `rating` are filled.

    The first colour fills them, the second is that of the rest.
    """
    on, off = colours
    scale = 4  # Drawn larger and made smaller, which smooths the edges.
    step = size + size // 6
    width = step * 4 + size
    mask = Image.new("L", (width * scale, size * scale))
    drawing = ImageDraw.Draw(mask)
    for number in range(5):
        middle = number * step + size / 2
        drawing.polygon(
            [(x * scale, y * scale) for x, y in _star(middle, size * 0.53, size / 2)], fill=255
        )
    mask = mask.resize((width, size), Image.Resampling.LANCZOS)
    fill = Image.new("RGB", (width, size), off)
    whole = int(rating)
    filled = min(width, round(whole * step + (rating - whole) * size))
    fill.paste(Image.new("RGB", (filled, size), on), (0, 0))
    image.paste(fill, at, mask)


def _star(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """The ten corners of a star with one arm upwards."""
    corners = []
    for corner in range(10):
        away = radius if corner % 2 == 0 else radius * 0.45
        angle = math.pi * corner / 5
        corners.append((x + away * math.sin(angle), y - away * math.cos(angle)))
    return corners


def encode_png(image: Image.Image) -> bytes:
    """The picture as PNG without metadata."""
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def fitted_size(width: int, height: int, *, within: int) -> tuple[int, int]:
    """The size of a picture within a square of `within` pixels."""
    scale = min(1.0, within / max(width, height, 1))
    return max(1, round(width * scale)), max(1, round(height * scale))


def safe_picture(content: bytes, *, within: int) -> Image.Image:
    """An uploaded picture, decoded, within a square of `within` pixels.

    Nothing of the file remains but its pixels. Raises `UnusableImage`.
    """
    if len(content) > UPLOAD_BYTES:
        megabytes = UPLOAD_BYTES // 1024 // 1024
        raise UnusableImage(f"The file is larger than {megabytes} MB. Save the picture smaller.")
    if b"<svg" in content[:4096].lower():
        raise UnusableImage(
            "This is an SVG drawing, which can hold scripts. Save it as PNG, about 512 pixels "
            "wide, and choose that file."
        )
    try:
        with Image.open(BytesIO(content), formats=UPLOAD_FORMATS) as opened:
            if opened.width * opened.height > UPLOAD_PIXELS:
                raise UnusableImage(
                    f"The picture is {opened.width} by {opened.height} pixels. Save it with at "
                    "most 4000 by 4000."
                )
            opened.draft("RGB", (within, within))
            opened.load()
            upright = ImageOps.exif_transpose(opened)
            is_plain = upright.mode in {"L", "RGB"} and "transparency" not in upright.info
            picture = upright.convert("RGB" if is_plain else "RGBA")
    except UnusableImage:
        raise
    except (OSError, ValueError, SyntaxError, ArithmeticError, MemoryError, LookupError) as error:
        # Pillow has no one class for damaged files; it also warns of bombs, by an exception below.
        raise UnusableImage(
            "The file is no PNG, JPEG, WebP or GIF picture, or is damaged. Save it again as PNG."
        ) from error
    except Image.DecompressionBombError as error:
        raise UnusableImage(
            "The picture is too large. Save it with at most 4000 by 4000."
        ) from error
    picture.thumbnail((within, within), Image.Resampling.LANCZOS)
    bare = Image.new(picture.mode, picture.size)
    bare.paste(picture)
    return bare
