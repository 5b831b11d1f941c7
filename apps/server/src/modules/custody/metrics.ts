import { Counter, Gauge, type Registry } from 'prom-client'

export type CustodyMetrics = ReturnType<typeof createCustodyMetrics>

/** The metrics of the worker that follows the chain. */
export function createCustodyMetrics(registry: Registry) {
  const registers = [registry]
  return {
    postedBlock: new Gauge({
      name: 'lode_chain_posted_block',
      help: 'The last finalized block all of whose logs are in the books',
      registers,
    }),
    finalizedBlock: new Gauge({
      name: 'lode_chain_finalized_block',
      help: 'The last block that the chain calls final; what lies between it and the posted block is the lag',
      registers,
    }),
    incoming: new Gauge({
      name: 'lode_chain_incoming',
      help: 'Deposits that were seen and are not final',
      registers,
    }),
    reorganisations: new Counter({
      name: 'lode_chain_reorganisations_total',
      help: 'How often blocks that had been seen were taken back',
      registers,
    }),
    credits: new Counter({
      name: 'lode_chain_movements_total',
      help: 'Logs of the chain that were posted, by what they are',
      labelNames: ['kind'],
      registers,
    }),
    stopped: new Gauge({
      name: 'lode_chain_stopped',
      help: '1 while nothing is credited because the chain is not what it was: an operator must look',
      registers,
    }),
    waiting: new Gauge({
      name: 'lode_chain_waiting_for_second_node',
      help: '1 while a credit or what is said of a payout, and with it the posted block, waits until a second node confirms it',
      registers,
    }),
    nodeFailures: new Counter({
      name: 'lode_chain_node_failures_total',
      help: 'Turns in which a node of the chain did not answer, or not sensibly',
      labelNames: ['node'],
      registers,
    }),
    checkedBlock: new Gauge({
      name: 'lode_custody_checked_block',
      help: 'The last posted block at which the vault was seen to hold what the books say',
      registers,
    }),
    custodyDifference: new Gauge({
      name: 'lode_custody_difference',
      help: 'What the vault holds minus what the books say, in smallest units; 0 is right. Absent while it cannot be compared',
      labelNames: ['asset'],
      registers,
    }),
  }
}
