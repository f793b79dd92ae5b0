"""Pure: which technicians, services and service areas a text names, and where.

A `Roster` is compiled once and reads any number of texts. Reading costs one look at each distinct
word, however many terms the roster has; only where one may begin is the place looked at closely, so
that a text of any length takes time in proportion to its length.

- A term matches whole words. Between the words of a term any white space or hyphens may stand.
- Names match capitalised or in capitals; a technician's also in lower case, where it is no word or
  the words around speak of a person. An alias written in lower case matches in any case.
- A technician also goes by the usual short forms of the first name, by other spellings of it and
  those without accents, by "Dr." or "Ms." with the surname (Mr. Lee is no Ms. Lee, and "Delacruz"
  is de la Cruz), and by the first name with the surname's initial or a slip in the surname, unless
  another technician is called so. Filters know none of these.
- Services match in any case, in the singular or plural; a trailing `*` stands for any ending.
- A name that two technicians go by names neither of them.
- Composed and decomposed letters are the same (NFC).
"""

from reviews.mentions.entries import AreaEntry, ServiceEntry, TechnicianEntry
from reviews.mentions.matcher import Found, Roster

__all__ = ["AreaEntry", "Found", "Roster", "ServiceEntry", "TechnicianEntry"]
