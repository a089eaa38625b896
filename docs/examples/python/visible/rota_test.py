import unittest

from rota import minutes


class VisibleTest(unittest.TestCase):
    def test_one_shift(self):
        self.assertEqual(minutes([("09:00", "12:00")]), 180)

    def test_two_shifts(self):
        self.assertEqual(minutes([("09:00", "12:00"), ("13:15", "14:00")]), 225)
