-- For `lode notice list` and `lode help list`. The table of notices also has those to one member; the commands leave
-- them out, and operators decide about them anyway.
grant select on lode.notice, lode.help_article to lode_operator;

-- Two operators can publish the help articles. Null: the owner imported the article.
alter table lode.help_article add column decision_id bigint references lode.decision;

-- All articles in three languages are one signed text. Our own have 43,000 characters.
alter table lode.signed_text drop constraint signed_text_body_check;
alter table lode.signed_text add constraint signed_text_body_check check (length(body) between 1 and 1000000);
