"""Settings of all tests: examples take the time they take on a busy machine."""

from hypothesis import settings

settings.register_profile("curieval", deadline=None)
settings.load_profile("curieval")
