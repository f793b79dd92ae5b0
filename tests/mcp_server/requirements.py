"""What the protocol's revisions ask of a server, sentence by sentence, and the tests that show it.

Read from the published revisions 2024-11-05 to 2026-07-28. MUST and SHOULD are the protocol's
words; OURS is asked for by nobody, and kept because clients are better off with it. `python -m
tests.mcp_server.requirements` prints the page that docs/mcp_requirements.md is.
"""

import sys
from collections.abc import Iterator
from typing import NamedTuple

MUST, SHOULD, OURS = "MUST", "SHOULD", "ours"
TITLES = {
    "A": "Messages",
    "B": "POST",
    "C": "Other methods, and the address",
    "D": "Sessions (until 2025-11-25)",
    "E": "Revisions (until 2025-11-25)",
    "F": "Revision 2026-07-28",
    "G": "Tools",
    "H": "Resources",
    "I": "Prompts and completions",
    "J": "What is not offered",
    "K": "Security",
    "L": "Pages that ask from a browser",
    "M": "The same answers as over HTTP",
    "N": "Discovery",
}


class Requirement(NamedTuple):
    id: str
    level: str
    sentence: str
    tests: tuple[str, ...]  # `jsonrpc.a_message_...`: module and function without `test_`.


def _read(text: str) -> Iterator[Requirement]:
    for paragraph in text.strip().split("\n\n"):
        head, *tests = paragraph.splitlines()
        number, level, sentence = head.split(" ", 2)
        yield Requirement(number, level, sentence, tuple(test.strip() for test in tests))


REQUIREMENTS = tuple(
    _read("""
A1 MUST A response repeats the id of its request, in the same JSON type.
  jsonrpc.the_answer_repeats_the_id_in_its_type

A2 ours An id that is null, a fraction, a boolean or an object is refused; no caller waits in vain.
  jsonrpc.an_id_that_no_answer_could_repeat_is_refused

A3 MUST jsonrpc is "2.0", method a string, params an object; anything else is an error response.
  jsonrpc.a_message_that_is_none_is_told_why

A4 MUST What is not JSON is answered with 400 and -32700.
  jsonrpc.what_cannot_be_read_is_a_parse_error

A5 MUST Scalars and empty objects or arrays are not messages: 400.
  jsonrpc.a_scalar_or_an_empty_object_is_not_a_message
  handshake.a_batch_of_none_or_of_too_many_is_refused

A6 MUST There are no batches but in 2025-03-26: 400.
  handshake.a_batch_is_refused_where_there_are_none
  handshake.a_batch_without_a_session_is_refused
  stateless.a_batch_or_a_response_is_refused

A7 MUST A batch of 2025-03-26 is answered, without initialize in it; one of notifications with 202.
  handshake.a_batch_is_answered_where_it_was_negotiated
  handshake.a_batch_of_notifications_is_accepted_without_a_body
  handshake.what_may_be_large_is_asked_for_by_itself

A8 MUST An unknown method is answered with -32601 and the id.
  jsonrpc.an_unknown_method_is_not_found

A9 ours In a session that answer has status 200: clients take a 404 for the end of theirs.
  jsonrpc.an_unknown_method_is_not_found

A10 ours Deep nesting is answered, not a fault.
  jsonrpc.what_cannot_be_read_is_a_parse_error

A11 ours A body over the limit is refused with 413, unread.
  transport.a_body_may_be_as_long_as_the_limit_and_no_longer
  transport.a_length_beyond_all_measure_is_too_long

A12 ours NaN, Infinity and numbers of any length are answered, not a fault.
  jsonrpc.what_cannot_be_read_is_a_parse_error
  jsonrpc.a_number_of_any_length_is_a_number

A13 ours NUL and lone surrogates are answered, not a fault.
  tools.a_call_that_has_no_answer_is_told_what_to_do
  jsonrpc.no_body_and_no_header_makes_a_fault

A14 ours A member that is given twice is refused.
  jsonrpc.a_member_given_twice_is_refused

A15 MUST Errors have an integer code and a message; data is optional.
  jsonrpc.any_bytes_are_a_message_or_an_error
  jsonrpc.a_message_that_is_none_is_told_why

B1 MUST A request is answered with application/json (or a stream).
  transport.both_spellings_of_the_address_serve
  schemas.every_result_of_a_session_is_of_its_type

B2 MUST An accepted notification is answered with 202 and no body.
  handshake.what_asks_nothing_is_accepted_without_a_body

B3 MUST So are unknown ones, cancellations and progress.
  handshake.what_asks_nothing_is_accepted_without_a_body

B4 MUST A response that is posted is accepted in a session, and refused without sessions.
  handshake.what_asks_nothing_is_accepted_without_a_body
  stateless.a_batch_or_a_response_is_refused

B5 ours Whoever takes JSON, or does not say, is served; 406 only where JSON is ruled out.
  transport.whoever_takes_json_is_served
  transport.whoever_takes_no_json_is_refused

B6 ours Content-Type is application/json, however it is spelt; anything else is a 415.
  transport.json_is_taken_however_it_is_spelt
  transport.another_type_of_body_is_refused
  transport.a_body_that_is_encoded_is_refused

B7 ours One connection carries many requests.
  official_client.one_connection_carries_many_requests

B8 MUST Authorization is ignored.
  transport.authorization_and_cookies_change_nothing

B9 ours No cookie is set or read.
  transport.both_spellings_of_the_address_serve
  transport.authorization_and_cookies_change_nothing

B10 ours One session serves requests side by side.
  official_client.the_official_client_finds_everything
  typescript_client.the_official_client_finds_everything

B11 ours Answers are not kept by caches.
  transport.both_spellings_of_the_address_serve

B12 ours A body that ends before its length is not taken for the message.
  transport.a_body_that_ends_too_early_is_not_taken_for_the_message
  transport.a_body_of_unknown_length_is_read_where_the_server_ends_it

C1 MUST GET is a stream or a 405.
  transport.any_other_method_is_told_how_to_connect

C2 ours A 405 has Allow.
  transport.any_other_method_is_told_how_to_connect

C3 ours A person with a browser is told what this is.
  transport.any_other_method_is_told_how_to_connect

C4 ours HEAD is not a fault.
  transport.head_is_refused_like_get

C5 MUST A POST to the address is never redirected.
  transport.both_spellings_of_the_address_serve

C6 ours The address serves with and without a slash at its end.
  transport.both_spellings_of_the_address_serve
  front.the_front_answers_as_the_view_does

C7 ours Where clients look for OAuth there is a plain 404.
  transport.there_is_nothing_to_authorize_at

C8 ours The short way before Django answers as Django's view does.
  front.the_front_answers_as_the_view_does

D1 MUST The answer to initialize has an Mcp-Session-Id.
  handshake.a_revision_that_is_spoken_is_agreed_on

D2 MUST It is of visible ASCII characters.
  handshake.a_revision_that_is_spoken_is_agreed_on
  sessions.an_id_is_unique_visible_and_knows_its_revision

D3 SHOULD Nobody can guess it.
  sessions.an_id_is_unique_visible_and_knows_its_revision
  sessions.a_made_up_id_is_unknown

D4 SHOULD A request without one is answered with 400, initialize apart.
  handshake.a_request_without_a_session_is_told_to_open_one

D5 MUST One that is unknown or over is answered with 404.
  sessions.an_unknown_session_is_not_found

D6 ours So is one that was forged or altered.
  sessions.an_altered_id_is_unknown
  sessions.an_unknown_session_is_not_found

D7 MUST DELETE ends a session, and later use is a 404.
  sessions.delete_ends_the_session_and_no_other
  sessions.the_note_of_an_ended_session_lasts_as_long_as_the_session_would_have

D8 ours An id is good on every process.
  official_client.a_session_is_good_on_both_processes_and_ends_on_both
  typescript_client.the_official_client_finds_everything

D9 ours DELETE of an unknown one is a 404, without one a 400.
  sessions.delete_ends_the_session_and_no_other

D10 ours An id is good on every machine and after a restart.
  sessions.another_process_knows_it_and_it_is_stored_nowhere
  sessions.a_changed_key_keeps_sessions_of_the_one_before

D11 ours initialize with an old id opens a new session.
  handshake.initialize_opens_a_new_session_whatever_the_headers_say

D12 MUST Names of headers are in any case.
  handshake.header_names_are_in_any_case

D13 ours Requests before notifications/initialized are served.
  handshake.requests_are_served_before_the_client_says_it_is_ready

D14 ours An initialize that fails hands out no id.
  handshake.a_malformed_initialize_opens_no_session

D15 ours Without the shared cache sessions go on.
  sessions.without_the_shared_cache_sessions_go_on_but_cannot_be_ended

E1 MUST A revision that is spoken is agreed on.
  handshake.a_revision_that_is_spoken_is_agreed_on

E2 MUST Any other is answered with one that is spoken, never with an error.
  handshake.another_revision_is_answered_with_the_newest_that_has_sessions

E3 SHOULD That is the newest.
  handshake.another_revision_is_answered_with_the_newest_that_has_sessions

E4 MUST The answer has protocolVersion, capabilities and serverInfo with name and version.
  handshake.initialize_says_what_the_revision_knows

E5 MUST It is of the type that the revision gives it.
  schemas.every_result_of_a_session_is_of_its_type
  handshake.initialize_says_what_the_revision_knows

E6 ours It has instructions.
  handshake.initialize_says_what_the_revision_knows

E7 ours It promises no notifications, as there is no stream for them.
  handshake.initialize_says_what_the_revision_knows

E8 ours A malformed initialize is answered with -32602.
  handshake.a_malformed_initialize_opens_no_session

E9 MUST An MCP-Protocol-Version that is not spoken is answered with 400 (from 2025-06-18 on).
  handshake.a_revision_in_the_header_that_is_not_spoken_is_refused

E10 MUST ping is answered with an empty result.
  handshake.nothing_of_the_stateless_revision_is_in_a_session

E11 SHOULD Without the header the session's revision counts, else 2025-03-26.
  handshake.sessions_may_be_left_out_where_the_setting_says_so
  handshake.another_spoken_revision_in_the_header_is_tolerated

F1 MUST server/discover names revisions and capabilities.
  stateless.discover_says_what_there_is

F2 SHOULD Every result says in its _meta who the server is.
  stateless.every_result_says_that_it_is_complete_and_how_long_it_holds

F3 ours Lists are the same for everybody, and may be kept.
  stateless.every_result_says_that_it_is_complete_and_how_long_it_holds

F4 MUST ttlMs and cacheScope are on discover, on all lists and on what is read.
  stateless.every_result_says_that_it_is_complete_and_how_long_it_holds

F5 MUST No session is needed or opened, and every result has a resultType.
  stateless.discover_says_what_there_is
  stateless.every_result_says_that_it_is_complete_and_how_long_it_holds

F6 MUST The list of tools never varies; it is in one order.
  tools.the_ten_tools_are_listed_in_one_order
  offer.lists_are_the_same_in_both_eras

F7 MUST Without _meta, its protocolVersion or its clientCapabilities: 400 and -32602.
  stateless.meta_must_say_what_the_client_speaks_and_can
  stateless.without_meta_a_request_of_this_revision_is_refused

F8 MUST clientInfo may be left out.
  stateless.who_the_client_is_need_not_be_said

F9 MUST Another revision is answered with 400, -32022 and those that are spoken.
  stateless.another_revision_is_answered_with_those_that_are_spoken

F10 MUST MCP-Protocol-Version and Mcp-Method equal the body, else 400 and -32020.
  stateless.headers_that_do_not_mirror_the_body_are_refused

F11 MUST So does Mcp-Name for tools/call, prompts/get and resources/read.
  stateless.headers_that_do_not_mirror_the_body_are_refused
  handshake.a_header_of_a_session_with_the_meta_of_the_other_era_is_a_mismatch

F12 MUST Values in Base64 are decoded before they are compared.
  stateless.a_mirrored_value_may_be_padded_or_wrapped
  stateless.a_name_that_only_wrapping_can_carry_is_compared

F13 MUST Space around a value does not count.
  stateless.a_mirrored_value_may_be_padded_or_wrapped

F14 ours Repeated headers that contradict each other are refused.
  stateless.headers_that_do_not_mirror_the_body_are_refused

F15 MUST A method that is unknown or was removed is answered with 404 and -32601.
  stateless.a_method_that_this_revision_has_not_is_not_found

F16 SHOULD An unknown tool is answered with -32602.
  stateless.what_is_unknown_is_a_wrong_parameter

F17 SHOULD A bad argument is a result that says so.
  stateless.a_bad_argument_is_a_result_that_says_so

F18 MUST A batch is answered with 400.
  stateless.a_batch_or_a_response_is_refused

F19 MUST A notification is accepted with 202 and no body.
  stateless.a_notification_is_accepted

F20 SHOULD A stray Mcp-Session-Id is ignored.
  handshake.both_eras_are_served_side_by_side

F21 MUST An unknown resource is answered with -32602, never with empty contents.
  stateless.what_is_unknown_is_a_wrong_parameter

F22 MUST Who promises changes of lists serves subscriptions/listen; this server promises none.
  stateless.discover_says_what_there_is
  stateless.a_method_that_this_revision_has_not_is_not_found

F23 MUST inputResponses that nobody asked for are ignored.
  stateless.answers_to_questions_that_were_not_asked_are_ignored

F24 MUST Codes that were retired are not used.
  stateless.what_is_unknown_is_a_wrong_parameter
  stateless.headers_that_do_not_mirror_the_body_are_refused

F25 MUST A client that goes away costs nobody anything.
  official_client.a_client_that_goes_away_leaves_the_others_served

F26 SHOULD A log level that is none is answered with -32602.
  stateless.a_log_level_must_be_one

F27 MUST x-mcp-header obliges to check its header; no tool uses it.
  tools.every_tool_says_what_it_is_for_and_that_it_only_reads

F28 MUST Every result is of the type that the revision gives it.
  schemas.every_result_without_a_session_is_of_its_type

G1 MUST Names of tools are unique, and of letters, digits, underscores, points and hyphens.
  tools.the_ten_tools_are_listed_in_one_order
  tools.every_tool_says_what_it_is_for_and_that_it_only_reads

G2 MUST get_business and search_reviews are there, with the filters of the search over HTTP.
  tools.search_reviews_equals_the_search_over_http
  tools.business_and_insights_are_those_of_the_datasets

G3 ours Eight more tools answer from the same data.
  tools.every_answer_is_of_its_shape_and_says_the_same_as_text

G4 MUST inputSchema is a JSON Schema of an object.
  tools.every_tool_says_what_it_is_for_and_that_it_only_reads

G5 MUST A tool without arguments takes an empty object.
  tools.a_tool_without_arguments_takes_an_empty_object

G6 ours Every tool has an outputSchema.
  tools.every_tool_says_what_it_is_for_and_that_it_only_reads

G7 ours Every tool and every argument has words.
  tools.every_tool_says_what_it_is_for_and_that_it_only_reads

G8 ours Annotations say that it only reads.
  tools.every_tool_says_what_it_is_for_and_that_it_only_reads

G9 SHOULD The order is always the same.
  tools.the_ten_tools_are_listed_in_one_order

G10 MUST A list has the members that the revision knows.
  handshake.a_tool_is_described_by_what_the_revision_knows
  handshake.nothing_has_a_title_before_titles

G11 SHOULD A cursor that was never given is answered with -32602.
  offer.a_cursor_that_was_never_given_is_refused

G12 MUST structuredContent conforms to the outputSchema.
  tools.every_answer_is_of_its_shape_and_says_the_same_as_text
  demo.every_answer_is_of_its_shape

G13 SHOULD The same JSON is there as text.
  tools.every_answer_is_of_its_shape_and_says_the_same_as_text

G14 MUST A result has the members that the revision knows.
  handshake.structured_content_comes_with_the_revision_that_knows_it
  schemas.a_refused_call_is_of_its_type

G15 SHOULD An unknown tool is answered with -32602.
  tools.a_malformed_call_or_unknown_tool_is_an_error

G16 MUST So is a malformed call.
  tools.a_malformed_call_or_unknown_tool_is_an_error

G17 MUST arguments may be left out.
  tools.arguments_may_be_absent_or_null

G18 ours They may be null.
  tools.arguments_may_be_absent_or_null

G19 SHOULD A bad value gives a result with isError that names the argument.
  tools.a_call_that_has_no_answer_is_told_what_to_do
  tools.all_wrong_arguments_are_told_at_once_but_no_flood_of_them

G20 SHOULD Days are days of the calendar, and a boolean is not an integer.
  tools.a_call_that_has_no_answer_is_told_what_to_do

G21 ours A misspelt argument is refused, not ignored.
  tools.a_call_that_has_no_answer_is_told_what_to_do

G22 ours What is not found is told in a sentence with what there is.
  tools.a_call_that_has_no_answer_is_told_what_to_do
  tools.a_first_name_that_several_go_by_is_asked_back
  tools.only_so_many_valid_names_are_listed

G23 MUST A progressToken does no harm.
  tools.a_progress_token_does_no_harm

G24 MUST Arguments are validated.
  tools.no_arguments_make_a_fault

G25 MUST What a stranger wrote is data, never part of our own words, and told as such.
  tools.what_a_stranger_wrote_is_a_value_and_never_part_of_our_own_words
  tools.tools_that_quote_at_length_say_whose_words_these_are

H1 MUST Resources, which are promised, are served.
  offer.every_published_document_is_a_resource

H2 MUST Contents have a URI and a text.
  offer.a_resource_is_the_document_at_its_address

H3 SHOULD An unknown resource is answered with -32002 in a session.
  offer.any_other_resource_is_not_found
  offer.a_hidden_review_is_not_a_resource

H4 MUST Templates are listed, and what they name can be read.
  offer.a_review_is_a_resource_of_the_template

H5 MUST URIs are validated.
  offer.any_other_resource_is_not_found
  offer.a_resource_must_be_named

H6 ours A document that is too large is named by its address.
  offer.a_document_too_large_for_an_answer_is_named_by_its_address

I1 MUST Prompts, which are promised, are served, with a name and a description.
  offer.prompts_say_what_they_take
  offer.a_summary_is_of_all_reviews_or_of_some
  offer.two_periods_are_compared

I2 SHOULD An unknown prompt or a missing argument is answered with -32602.
  offer.a_prompt_that_cannot_be_made_is_an_error

I3 MUST Completions, which are promised, are at most a hundred.
  offer.names_are_completed
  offer.at_most_a_hundred_values_are_given
  offer.what_cannot_be_completed_is_an_error

I4 SHOULD Pages of lists give every item once; without nextCursor they end.
  offer.pages_give_every_item_once_and_end

J1 MUST What is not promised is answered with -32601.
  jsonrpc.an_unknown_method_is_not_found

J2 ours Log messages are not offered.
  handshake.initialize_says_what_the_revision_knows
  jsonrpc.an_unknown_method_is_not_found

K1 MUST An Origin that is there and not welcome is answered with 403.
  transport.other_pages_are_forbidden_where_the_setting_names_some

K2 MUST Our own is welcome, and so is none.
  transport.pages_of_the_setting_and_our_own_are_welcome
  transport.programs_name_no_origin_and_are_welcome

K3 ours Origins are compared exactly, after parsing.
  transport.other_pages_are_forbidden_where_the_setting_names_some
  transport.an_origin_has_one_spelling

K4 ours A foreign Host is refused.
  transport.a_foreign_host_is_refused

K5 MUST No token against forgery is asked for.
  transport.no_token_against_forgery_is_asked_for

K6 MUST Calls of tools are limited in number; 429 has Retry-After.
  transport.too_many_requests_are_told_when_to_come_back
  transport.a_batch_costs_what_its_messages_would_cost
  front.front_and_view_spend_one_budget

K7 ours Errors show nothing of the inside.
  transport.a_fault_of_ours_shows_nothing_of_its_inside
  transport.a_database_that_is_away_is_told_in_the_words_of_the_protocol

L1 ours A preflight grants POST, DELETE and the protocol's headers.
  transport.a_preflight_is_granted

L2 ours A page may read the session's id.
  transport.a_page_may_read_answers_and_errors_and_the_session

L3 ours A page may read errors too.
  transport.a_page_may_read_answers_and_errors_and_the_session

M1 MUST search_reviews answers as the search over HTTP does, byte for byte.
  tools.search_reviews_equals_the_search_over_http

M2 MUST It refuses what that refuses, in the same words.
  tools.search_reviews_equals_the_search_over_http

M3 MUST Its default limit is twenty.
  tools.the_default_limit_is_twenty_and_pages_go_on

M4 MUST Numbers are those of the published documents.
  tools.business_and_insights_are_those_of_the_datasets
  demo.every_number_is_that_of_the_dataset

M5 MUST They follow every change.
  tools.an_answer_follows_a_change

N1 SHOULD The server card is at the address that is reserved for it, of its type and schema.
  transport.the_server_card_says_how_to_connect
  transport.the_card_keeps_to_its_schema_at_every_address

N2 SHOULD The catalog names the card.
  transport.the_catalog_names_the_card
""")
)


def page() -> str:
    """The requirements as a page of documentation, in tables."""
    lines = [
        "# What MCP asks of a server, and what shows it",
        "",
        "Made from `tests/mcp_server/requirements.py`; a test looks that each has tests, and that",
        "they exist. MUST and SHOULD are the protocol's words; ours is asked for by nobody.",
    ]
    for letter, title in TITLES.items():
        lines += ["", f"## {title}", "", "| | | Requirement | Tests |", "|---|---|---|---|"]
        lines += [
            f"| {each.id} | {each.level} | {each.sentence} | {_shown(each.tests)} |"
            for each in REQUIREMENTS
            if each.id[0] == letter
        ]
    return "\n".join([*lines, ""])


def _shown(tests: tuple[str, ...]) -> str:
    return "<br>".join(test.replace(".", ": ").replace("_", " ") for test in tests)


if __name__ == "__main__":
    sys.stdout.write(page())
