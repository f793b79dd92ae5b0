"""Training of the small neural network of `review_analysis_neural`."""
