"""Formats of the contract for Schemathesis: values that are valid in the real world."""

import schemathesis
from hypothesis import strategies as st

FORMATS = {
    "bic": ["LKSDUS44", "LKSDUS44XXX"],
    "country": ["US"],
    "account-number": ["4417123456", "000123456789"],
    "aba-routing-number": ["071000013", "021000021"],
    "iban": ["DE89370400440532013000", "GB29NWBK60161331926819"],
}

for name, values in FORMATS.items():
    schemathesis.openapi.format(name, st.sampled_from(values))
