import type { Verb } from './decision.ts'

const descriptions: Readonly<Record<Verb, string>> = {
  init: 'the first operators',
  add: 'add an operator',
  remove: 'remove an operator',
  approve: 'approve a transfer',
  reject: 'reject a transfer',
  pause: 'pause payouts',
  resume: 'resume payouts',
  list: 'list an address',
  pay: 'pay from the treasury',
  return: 'return money that nobody registered for',
  'approve-day': 'approve the funding of a day',
  publish: 'publish a plan',
  'write-off': 'write off a loss',
  'fund-loss': 'replace what is missing',
  reverse: 'undo a posting',
  'authorise-expert': 'make a member a sharing expert',
  'approve-partner': 'approve a partner',
  'reject-partner': 'reject a partner',
  'end-stop': 'end a stop',
  rewind: 'read blocks again',
  'migrate-vault': 'follow the next vault',
  disable: 'disable a member',
  enable: 'enable a member',
  'end-sessions': 'end sessions',
  'prove-again': 'let the signer prove everything again',
  withdraw: 'withdraw a decision',
  'publish-notice': 'publish a notice',
  'publish-help': 'publish the help articles',
  'acknowledge-restore': 'acknowledge a restore',
}

/** The kind of a decision in a few words. */
export const describeVerb = (verb: Verb): string => descriptions[verb]
