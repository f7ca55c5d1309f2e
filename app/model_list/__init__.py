"""The models of the catalogue with what each does on this machine, to be downloaded and chosen."""
