"""A small neural network as a second model of polarity, beside the rules of `review_analysis`."""

from review_analysis_neural.model import NeuralModel, shipped_weights
from review_analysis_neural.weights import WeightsRefused

__version__ = "1.0.0"

__all__ = ["NeuralModel", "WeightsRefused", "shipped_weights"]
