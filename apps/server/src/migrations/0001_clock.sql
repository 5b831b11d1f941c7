-- All time of the product comes from lode.now(). Outside production a one-row table shifts it, so that a test can live
-- through years in a second; in production neither the table nor the shift exists, and start-up checks that.
do $$
begin
  if current_setting('lode.profile') = 'production' then
    create function lode.now() returns timestamptz
      language sql stable parallel safe
      return pg_catalog.now();
  else
    create table lode.clock (
      one boolean primary key default true check (one),
      shift interval not null default interval '0'
    );
    insert into lode.clock default values;
    create function lode.now() returns timestamptz
      language sql stable parallel safe
      return pg_catalog.now() + (select shift from lode.clock);
  end if;
end
$$;
