import { Counter, Gauge, type Registry } from 'prom-client'

export type CustodyMetrics = ReturnType<typeof createCustodyMetrics>

/** The watcher's metrics. */
export function createCustodyMetrics(registry: Registry) {
  const registers = [registry]
  return {
    postedBlock: new Gauge({
      name: 'lode_chain_posted_block',
      help: 'The last finalized block whose logs are all in the ledger',
      registers,
    }),
    finalizedBlock: new Gauge({
      name: 'lode_chain_finalized_block',
      help: 'The last final block of the chain; its distance from the posted block is the lag',
      registers,
    }),
    incoming: new Gauge({
      name: 'lode_chain_incoming',
      help: 'Deposits that were seen and are not final',
      registers,
    }),
    reorganisations: new Counter({
      name: 'lode_chain_reorganisations_total',
      help: 'How often the chain replaced blocks that were not final',
      registers,
    }),
    movements: new Counter({
      name: 'lode_chain_movements_total',
      help: 'Chain logs that were posted, by kind of movement',
      labelNames: ['kind'],
      registers,
    }),
    announcementsOpen: new Gauge({
      name: 'lode_vault_announcements_open',
      help: 'Announcements of the vault’s administrator that can be carried out or still have notice, by kind',
      labelNames: ['kind'],
      registers,
    }),
    vaultEvents: new Counter({
      name: 'lode_vault_events_total',
      help: 'Final events about the administration of the vault, by name',
      labelNames: ['event'],
      registers,
    }),
    stopped: new Gauge({
      name: 'lode_chain_stopped',
      help: '1 while the watcher is stopped and credits nothing, because the chain contradicts the ledger',
      registers,
    }),
    assetStopped: new Gauge({
      name: 'lode_chain_asset_stopped',
      help: '1 while an asset is neither credited nor paid, because the chain contradicts the ledger in it',
      labelNames: ['asset'],
      registers,
    }),
    waiting: new Gauge({
      name: 'lode_chain_waiting_for_second_node',
      help: '1 while posting waits, because no node of a second origin answers, or because nodes disagree',
      registers,
    }),
    nodeFailures: new Counter({
      name: 'lode_chain_node_failures_total',
      help: 'Turns in which a node of the chain failed or contradicted itself',
      labelNames: ['node'],
      registers,
    }),
    checkedBlock: new Gauge({
      name: 'lode_custody_checked_block',
      help: 'The last posted block at which custody agreed with the ledger',
      registers,
    }),
    inFormerVaults: new Gauge({
      name: 'lode_custody_in_former_vaults',
      help: 'What the former vaults still hold, in smallest units: announce moveTo there to bring it to the present vault',
      labelNames: ['asset'],
      registers,
    }),
    custodyDifference: new Gauge({
      name: 'lode_custody_difference',
      help: 'What the vault or cold storage holds minus what the ledger says, in smallest units; 0 is right. Absent while it cannot be compared',
      labelNames: ['place', 'asset'],
      registers,
    }),
  }
}
