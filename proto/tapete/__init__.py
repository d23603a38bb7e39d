"""The wire of Tapete: one package for each version of the protocol, generated from the `.proto` files.

`tapete.v1` is the current version.
"""
