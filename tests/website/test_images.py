"""The uploaded logo, the icon, and the pictures for social networks."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from reviews.models import Business, Logo
from reviews.services import set_logo
from tests.administration import assert_refused, change_url, form_fields, page_html
from tests.factories import make_business, make_review
from tests.website.images import picture, png_that_claims
from tests.website.pages import read

pytestmark = pytest.mark.django_db


def decoded(response):
    return Image.open(BytesIO(response.content))


def save_business(admin_client, content=None, **changes):
    """Send the form of the business with a file as its logo."""
    page = change_url(Business.objects.get())
    fields = form_fields(admin_client.get(page)) | changes
    if content is not None:
        fields["logo_file"] = SimpleUploadedFile("logo.png", content)
    return admin_client.post(page, fields)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_uploaded_logo_is_encoded_again_and_served_with_validator(admin_client, client, kind):
    make_business()

    assert save_business(admin_client, picture(kind=kind)).status_code == 302

    response = client.get("/logo.png")
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert response["Cache-Control"] == "public, max-age=60"
    assert decoded(response).size == (512, 256)
    assert client.get("/logo.png", headers={"if-none-match": response["ETag"]}).status_code == 304
    assert client.head("/logo.png").content == b""
    assert client.post("/logo.png").status_code == 405


def test_only_pixels_of_uploaded_file_remain(admin_client, client):
    make_business()
    content = picture(kind="JPEG", comment=b"<script>alert(1)</script>", exif=b"Exif\0\0secret")

    save_business(admin_client, content + b"<script>alert(2)</script>")

    assert b"script" not in client.get("/logo.png").content
    assert b"secret" not in client.get("/logo.png").content


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", "SVG drawing"),
        (b"not a picture", "no PNG, JPEG, WebP or GIF picture"),
        (picture()[:60], "no PNG, JPEG, WebP or GIF picture"),
        (b"x" * (2 * 1024 * 1024 + 1), "larger than 2 MB"),
        (png_that_claims(5000, 4000), "5000 by 4000 pixels"),
        (png_that_claims(20_000, 20_000), "at most 4000 by 4000"),
        (picture(kind="BMP"), "no PNG, JPEG, WebP or GIF picture"),
    ],
    ids=["svg", "text", "cut", "heavy", "large", "bomb", "bmp"],
)
def test_unusable_picture_is_refused_and_changes_nothing(admin_client, content, sentence):
    make_business()

    assert_refused(save_business(admin_client, content), sentence)

    assert not Logo.objects.exists()


def test_logo_stays_until_it_is_replaced_or_removed(admin_client, client):
    make_business()
    save_business(admin_client, picture())
    first = client.get("/logo.png").content

    save_business(admin_client, phone="+1 555-0100")
    assert client.get("/logo.png").content == first
    assert "/logo.png?v=" in page_html(admin_client.get(change_url(Business.objects.get())))

    save_business(admin_client, picture(colour=(0, 0, 0)))
    assert client.get("/logo.png").content != first

    save_business(admin_client, remove_logo="on")
    assert client.get("/logo.png").status_code == 404
    assert client.get("/icon.png").status_code == 404


def test_icon_is_a_square_with_logo(client):
    assert client.get("/favicon.ico")["Location"] == "/static/website/icon.svg"
    set_logo(make_business(), picture(size=(300, 100)))

    icon = decoded(client.get("/icon.png")).convert("RGB")

    assert icon.size == (192, 192)
    assert icon.getpixel((96, 96)) == (200, 30, 40)
    assert icon.getpixel((96, 20)) == (255, 255, 255)
    assert client.get("/favicon.ico")["Location"] == "/icon.png"


@pytest.mark.parametrize("name", ["Tern Hollow", "Łódź Ελλάδα Пример", "北京烤鸭", "x" * 200, ""])
def test_social_picture_has_its_size_for_any_name(client, name):
    make_business(name=name)
    make_review(rating=4)

    response = client.get("/share.png")

    assert response["Content-Type"] == "image/png"
    assert decoded(response).size == (1200, 630)
    assert client.get("/share.png", headers={"if-none-match": response["ETag"]}).status_code == 304


def test_review_has_picture_of_its_text(client):
    make_business()
    review = make_review(text="They came at once. " * 40, rating=4)
    other = make_review(text="Отлично", rating=4)

    response = client.get(f"/reviews/{review.ulid}/share.png")

    assert Image.open(BytesIO(response.content)).size == (1200, 630)
    assert response["Cache-Control"] == "public, max-age=60"
    assert response.content != client.get(f"/reviews/{other.ulid}/share.png").content
    (image,) = read(client, f"/reviews/{review.ulid}").all("meta", property="og:image")
    assert image["content"].endswith(f"/reviews/{review.ulid}/share.png")


@pytest.mark.parametrize("text", ["非常好的服务", ""])
def test_review_with_characters_outside_of_font_has_picture(client, text):
    make_business()
    review = make_review(text=text)

    assert client.get(f"/reviews/{review.ulid}/share.png").status_code == 200


@pytest.mark.parametrize("ulid", ["x", "01ARZ3NDEKTSV4RRFFQ69G5FAV"])
def test_picture_of_missing_review_is_not_found(client, ulid):
    assert client.get(f"/reviews/{ulid}/share.png").status_code == 404
