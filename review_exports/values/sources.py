"""Sources, each in one spelling."""

from typing import Final

from review_exports.values.identifiers import slug

# Source -> other spellings, in letters and digits alone.
_SPELLINGS: Final = {
    "google": "googlemybusiness googlebusinessprofile googlebusiness googlebusinessprofiles gmb gbp"
    " googlemaps googlemap googlemapsreviews googlereviews googlereview googleplaces googleplace"
    " googlelocal googlelisting googleplacesapi mapsgoogle",
    "facebook": "fb facebookreviews facebookreview facebookpage facebookpages facebookratings"
    " facebookrecommendations",
    "yelp": "yelpreviews yelpreview",
    "trustpilot": "trustpilotreviews trustpilotreview trustpilotservicereviews",
    "tripadvisor": "tripadvisorreviews",
    "airbnb": "airbnbreviews",
    "booking-com": "booking bookingcomreviews",
    "hotels-com": "hotelscomreviews",
    "judge-me": "judgeme",
    "reviews-io": "reviewsio reviewscouk",
    "google-play": "googleplaystore playstore playconsole googleplayconsole androidplaystore",
    "g2": "g2crowd g2reviews",
    "app-store": "appleappstore iosappstore appstoreios appstoreconnect itunes itunesappstore",
    "apple-maps": "applebusinessconnect",
    "trusted-shops": "trustedshops etrusted",
    "angi": "angieslist angilist",
    "bbb": "betterbusinessbureau",
    "yellow-pages": "yellowpages yp",
    "website": "firstparty ownwebsite",
}
KNOWN_SOURCES: Final = tuple(_SPELLINGS)
# Names that some write in two words, like "Trip Advisor", or as an address.
_NAMES: Final = (
    "airbnb birdeye capterra expedia feefo foursquare glassdoor healthgrades holidaycheck"
    " homeadvisor houzz kununu nextdoor opentable podium provenexpert sitejabber softwareadvice"
    " thumbtack tripadvisor trustindex trustpilot vrbo yelp yotpo zocdoc"
).split()
_SOURCES: Final = {name: name for name in _NAMES} | {
    spelling: source
    for source, spellings in _SPELLINGS.items()
    for spelling in (source.replace("-", ""), *spellings.split())
}
_HOSTS: Final = ("com", "couk", "de", "fr", "es", "it", "nl", "net", "org", "io")


def source_slug(name: str) -> str:
    """The source as reviews keep it: `GOOGLE` and `google_my_business` are `google`.

    A source that is not known is its own slug; empty where no letter or digit is in the name.
    """
    plain = slug(name)
    letters = plain.replace("-", "")
    if source := _SOURCES.get(letters):
        return source
    host = letters.removeprefix("https").removeprefix("http").removeprefix("www")
    for ending in _HOSTS:
        if source := _SOURCES.get(host.removesuffix(ending)):
            return source
    return plain
