//! Neural algorithmic reasoning with many correct answers.
