-- Up to which notice a member has read all. Only what a member read beyond it has rows of its own in notice_read. So the
-- tables do not grow with members times notices.
create table lode.notice_mark (
  member_id bigint primary key references lode.member,
  notice_id bigint not null references lode.notice
);

grant select, insert (member_id, notice_id), update (notice_id) on lode.notice_mark to lode_api;
grant delete on lode.notice_read to lode_api;
