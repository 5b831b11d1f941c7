-- What members are told: notices, and the help. docs/notices.md explains it.
--
-- Only the owner writes here, by the command line: no process can, and neither can an operator's machine without the owner. A
-- notice speaks to every member at once, so whoever steals the role of a process must not be able to.

create table lode.notice (
  id bigint generated always as identity primary key,
  at timestamptz not null default lode.now(),
  -- {"en": {"title": …, "body": […]}, "zh_tw": …, "zh_cn": …}
  words jsonb check (words ?& array['en', 'zh_tw', 'zh_cn']),
  -- A version of the plan that makes leaving harder is its own notice: the app says what changes, in the language of the reader.
  plan_version int unique,
  check ((words is null) = (plan_version is not null))
);

-- What was told stays told; a mistake is put right by another notice.
select lode.keep_as_written('lode.notice');

-- Those that were published before there were notices.
insert into lode.notice (plan_version) select version from lode.plan where leaving_harder order by version;

-- Which notices a member has read. Those from before its registration count as read.
create table lode.notice_read (
  member_id bigint not null references lode.member,
  notice_id bigint not null references lode.notice,
  at timestamptz not null default lode.now(),
  primary key (member_id, notice_id)
);

create table lode.help_article (
  lang text not null check (lang in ('en', 'zh_tw', 'zh_cn')),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60),
  place int not null check (place >= 0),
  title text not null check (length(title) between 1 and 120),
  -- Headings, paragraphs and lists, as the app draws them: nothing else can be in an article.
  blocks jsonb not null,
  primary key (lang, slug)
);

grant select on lode.notice, lode.help_article to lode_api;
grant select, insert (member_id, notice_id) on lode.notice_read to lode_api;
