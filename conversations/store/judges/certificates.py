"""Certificates: what trials of judges found, and whether a judge still answers as the same model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.store.database import Database
from turnwise.conversations.store.judges.answering import IS_ANSWER
from turnwise.conversations.store.keeping.damage import stored_json


@dataclass(frozen=True, slots=True)
class KeptCertificate:
    """A certificate as it is stored.

    judge: as it was named. fingerprint: of the judge's settings. made_at: seconds since 1970, UTC.
    answers_now: the model that answered this judge's newest kept question, as the server calls it; empty
    where there is none. data: the certificate.
    """

    judge: str
    fingerprint: str
    made_at: float
    answers_now: str
    data: dict[str, Any]

    @property
    def other_model(self) -> str:
        """The model that answers now where none of that name answered in the trial; empty otherwise."""
        answered_as = self.data.get("answered_as") or []
        return self.answers_now if self.answers_now and self.answers_now not in answered_as else ""


class CertificateTable:
    """The certificates of one database. Append-only: the newest of a judge stands."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, *, judge: str, fingerprint: str, made_at: float, data: dict[str, Any]) -> None:
        """Keep a certificate."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO judge_certificates (judge, fingerprint, made_at, data) VALUES (?, ?, ?, ?)",
                [judge, fingerprint, made_at, json.dumps(data, ensure_ascii=False)],
            )

    def standing(self) -> list[KeptCertificate]:
        """Return the newest certificate of each judge, the newest first."""
        return self._read("WHERE id IN (SELECT max(id) FROM judge_certificates GROUP BY fingerprint)")

    def all(self) -> list[KeptCertificate]:
        """Return every certificate that was ever kept, the newest first."""
        return self._read("")

    def _read(self, which: str) -> list[KeptCertificate]:
        rows = self._database.connection.execute(
            "SELECT judge, fingerprint, made_at, data, coalesce((SELECT model FROM calls "  # noqa: S608
            f"c WHERE c.judge = kept.fingerprint AND {IS_ANSWER} ORDER BY id DESC LIMIT 1), '') "
            f"FROM judge_certificates AS kept {which} ORDER BY made_at DESC, id DESC"
        )
        return [
            KeptCertificate(judge, fingerprint, made_at, now, stored_json(data))
            for judge, fingerprint, made_at, data, now in rows
        ]
