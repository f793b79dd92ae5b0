"""Generated reviews of the demo's business, with labels, for tests and benchmarks."""

from demo.showcase import END, SEED
from tools.demo_reviews.generator import REVIEWS, generate
from tools.demo_reviews.review import DemoReview, write_labels

__all__ = ["END", "REVIEWS", "SEED", "DemoReview", "generate", "write_labels"]
