"""Draw text and stars with Pillow, and sanitise uploaded pictures."""

import re
import tomllib
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, ImageOps

FONT = Path(__file__).parent / "fonts" / "Inter-SemiBold.ttf"
# Characters outside the font, which has Latin, Greek, Cyrillic and punctuation.
_UNWRITABLE = re.compile(
    "[^\u0020-\u007e\u00a0-\u024f\u0300-\u052f\u1e00-\u1eff\u2010-\u2044\u20a0-\u20bf\u2116\u2122]"
)

Colour = str  # Like `#1d2421`.

# Corners of a star in a square of 20 units.
STAR = (
    *((10, 1.4), (12.3, 7.4), (18.7, 7.8), (13.7, 11.8), (15.4, 18)),
    *((10, 14.5), (4.6, 18), (6.3, 11.8), (1.3, 7.8), (7.7, 7.4)),
)
STAR_SIDE = 20
# SVG path of five stars side by side, 100 units wide.
FIVE_STARS = "".join(
    f"M{'L'.join(f'{x + number * STAR_SIDE:g} {y:g}' for x, y in STAR)}z" for number in range(5)
)

_TABLES: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)
ICONS, LIGHT, DARK = _TABLES["icons"], _TABLES["light"], _TABLES["dark"]
ACCENT = "#0b6b57"

# Formats that browsers display and that hold no code.
UPLOAD_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
UPLOAD_BYTES = 2 * 1024 * 1024
UPLOAD_PIXELS = 16_000_000  # Four bytes each after decoding.


class UnusableImage(ValueError):
    """Raised for an upload that is not a picture or too large, with a message for the user."""


@lru_cache(maxsize=16)
def font(size: int) -> ImageFont.FreeTypeFont:
    """Load the font at a size in pixels."""
    return ImageFont.truetype(FONT, size)


def is_writable(text: str) -> bool:
    """Whether the font has all characters of the text."""
    return not _UNWRITABLE.search(text)


def fitted(text: str, size: int, width: int, *, least: int) -> tuple[str, ImageFont.FreeTypeFont]:
    """Shrink the font from `size` until the text fits into `width`.

    If it does not fit at `least` pixels, shorten the text with an ellipsis. Return text and font.
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
    """Draw five stars, each `size` pixels wide.

    The first colour fills `rating` stars, the second one the rest.
    """
    on, off = colours
    scale = 4  # Antialiasing: draw larger, then scale down.
    step = size + size // 6
    width = step * 4 + size
    mask = Image.new("L", (width * scale, size * scale))
    drawing = ImageDraw.Draw(mask)
    unit = size * scale / STAR_SIDE
    for number in range(5):
        left = number * step * scale
        drawing.polygon([(left + x * unit, y * unit) for x, y in STAR], fill=255)
    mask = mask.resize((width, size), Image.Resampling.LANCZOS)
    fill = Image.new("RGB", (width, size), off)
    whole = int(rating)
    filled = min(width, round(whole * step + (rating - whole) * size))
    fill.paste(Image.new("RGB", (filled, size), on), (0, 0))
    image.paste(fill, at, mask)


def encode_png(image: Image.Image) -> bytes:
    """Encode a picture as PNG without metadata."""
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def fitted_size(width: int, height: int, *, within: int) -> tuple[int, int]:
    """Scale a size down to a square of `within` pixels."""
    scale = min(1.0, within / max(width, height, 1))
    return max(1, round(width * scale)), max(1, round(height * scale))


def safe_picture(content: bytes, *, within: int) -> Image.Image:
    """Decode an upload, and scale it down to a square of `within` pixels.

    The picture keeps nothing of the file but its pixels. Raises `UnusableImage`.
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
        # Pillow has no common exception for damaged files.
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
