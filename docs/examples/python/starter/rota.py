def minutes(shifts):
    """The minutes that the shifts are, without breaks."""
    raise NotImplementedError
