"""`python -m curieval` is `curieval`."""

from curieval.cli import main

if __name__ == "__main__":
    main()
