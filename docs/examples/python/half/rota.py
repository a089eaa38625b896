def minutes(shifts):
    """The minutes that the shifts are, without breaks."""
    total = 0
    for begin, end in shifts:
        length = minute_of(end) - minute_of(begin)
        total += length - 30 if length > 360 else length
    return total


def minute_of(time):
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)
