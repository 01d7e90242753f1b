"""Checks of somebody else's agent or server: does it keep to the protocol and the rules?"""
