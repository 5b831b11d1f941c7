-- Which version of each function file `lode migrate` has applied. The functions themselves are in the `functions`
-- folder of the module that owns them. Older versions stay here, so that an older program can tell that its version was
-- applied once.
create table lode.function_version (
  id bigint generated always as identity primary key,
  -- The function's name, without its schema.
  name text not null,
  -- SHA-256 of the file.
  hash bytea not null check (octet_length(hash) = 32),
  applied_at timestamptz not null default lode.now(),
  unique (name, hash)
);

grant select on lode.function_version to lode_api, lode_worker, lode_signer;
