import unittest

from rota import minutes


class HiddenTest(unittest.TestCase):
    def test_no_shift(self):
        self.assertEqual(minutes([]), 0)

    def test_break_after_six_hours(self):
        self.assertEqual(minutes([("08:00", "14:00"), ("08:00", "14:01")]), 360 + 331)

    def test_shift_over_midnight(self):
        self.assertEqual(minutes([("22:00", "02:00")]), 240)

    def test_time_that_is_none(self):
        for time in ("24:00", "9", "12:60", ""):
            with self.assertRaises(ValueError):
                minutes([("08:00", time)])
