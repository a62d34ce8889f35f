"""Forces, one file each: what pushes or turns bodies. Gravity belongs to the mechanism. See CONTRIBUTING.md."""
