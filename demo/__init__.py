"""The demo: an invented business with three years of reviews."""

from demo.business import AREAS, BUSINESS, SERVICES, roster, technicians
from demo.showcase import END, showcase, span

__all__ = ["AREAS", "BUSINESS", "END", "SERVICES", "roster", "showcase", "span", "technicians"]
