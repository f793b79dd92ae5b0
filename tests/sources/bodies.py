"""Bodies of makers' webhooks, with invented data."""

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "review_exports" / "bodies"

EXPECTED = {
    "dataforseo_postback": [
        ("google", "ChdINVENTED1", "Inv Person", 5),
        ("google", "ChdINVENTED2", "Second Person", 4),
    ],
    "gbp_batch": [("google", "locations/2/reviews/AbINV", "Inv Person", 4)],
    "ifttt_google": [("google", "AbFvOqkINVENTED1", "Inv Person", 5)],
    "judgeme_webhook": [("judge-me", "434", "Inv P.", 5)],
    "partoo_webhook": [("google", "34", "Inv Person", 3)],
    "serpapi": [("google", "ChZINVENTED3", "Inv Person", 5)],
    "trustpilot_webhook": [("trustpilot", "aaaaaaaaaaaaaaaaaaaaaaa1", "Invented Person", 5)],
    "yext_webhook": [("google", "77", "Inv Person", 4)],
    "zapier_form": [("google", "z1", "Inv Person", 5)],
}
NAMES = list(EXPECTED)


def read(name: str) -> bytes:
    return (FOLDER / f"{name}.json").read_bytes()
