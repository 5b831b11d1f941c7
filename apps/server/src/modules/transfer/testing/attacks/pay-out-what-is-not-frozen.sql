-- As lode_api: requests a transfer without freezing its money.
begin;
select lode.request_transfer(:victim, ':session', ':transfer', 'USDT', 10000000, 3000000, 0, 1, 1000000000000);
commit;
