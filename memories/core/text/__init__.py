"""Texts as such: language, sentences, words, index terms, tokens, chunks and quotes."""
