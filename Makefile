PY ?= python3
.PHONY: run
run:
	.venv/bin/python manage.py up
