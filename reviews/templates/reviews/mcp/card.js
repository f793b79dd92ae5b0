// Cards of published reviews, as search_reviews and the examples of other tools have them.
const LONG = 420;
const SITE = document.body.dataset.site;
const SOURCES = JSON.parse(document.body.dataset.sources);
const sourceName = (source) => SOURCES[source] ?? source.replaceAll("-", " ");
const stars = (rating) => app.element("span", { class: "stars", role: "img", "aria-label": `${rating} out of 5 stars` },
  "★★★★★☆☆☆☆☆".slice(5 - rating, 10 - rating));
const words = (text) => {
  const shown = app.element("p", { class: "words", dir: "auto" }, text);
  if (text.length <= LONG) return [shown];
  const more = app.element("button", { type: "button" }, "Show all of it");
  shown.textContent = `${text.slice(0, LONG).trimEnd()}…`;
  more.addEventListener("click", () => { shown.textContent = text; more.remove(); });
  return [shown, more];
};
const card = (review) => app.element("li", { class: "card" },
  app.element("p", {}, stars(review.rating), " ", app.element("strong", {}, app.element("bdi", {}, review.author))),
  app.element("p", { class: "muted small" }, app.link(`${SITE}/reviews/${review.id}`, app.day(review.date)),
    " · ", sourceName(review.source), review.verified ? " · Verified" : null),
  ...(review.text ? words(review.text) : [app.element("p", { class: "muted" }, "Stars without text.")]),
  review.edited_by_business ? app.element("p", { class: "muted small" }, "Edited by the business.") : null,
  review.redacted_by_business ? app.element("p", { class: "muted small" }, "Shortened by the business.") : null,
  review.owner_reply ? app.element("div", { class: "reply" },
    app.element("p", { class: "small" }, app.element("strong", {}, "Reply from the owner")),
    ...words(review.owner_reply.text)) : null,
);
const cards = (reviews) => app.element("ul", { class: "cards" }, ...reviews.map(card));
