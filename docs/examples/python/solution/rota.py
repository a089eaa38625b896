from datetime import datetime

DAY = 24 * 60
BREAK_AFTER = 6 * 60
BREAK = 30


def minutes(shifts):
    """The minutes that the shifts are, without breaks."""
    return sum(worked(begin, end) for begin, end in shifts)


def worked(begin, end):
    length = (minute_of(end) - minute_of(begin) - 1) % DAY + 1
    return length - BREAK if length > BREAK_AFTER else length


def minute_of(time):
    parsed = datetime.strptime(time, "%H:%M")
    return parsed.hour * 60 + parsed.minute
