import { type Asset, assets, formatAmount, units } from '@lode/kernel'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import { ALL_MEMBERS, type DecisionBody, START_AT_ONCE } from './decision.ts'

/** The lines that an operator reads before signing. They show every field of the signed text. */
export function describeDecision(body: DecisionBody, decimals: Decimals): string[] {
  return [
    ...describeTerms(body, decimals),
    `For the pool ${body.pool} on chain ${body.chainId}`,
    `About ${body.subject}, in the text ${body.nonce}`,
    `Valid until ${formatUtc(body.expiry)}`,
  ]
}

function describeTerms(body: DecisionBody, decimals: Decimals): string[] {
  switch (body.verb) {
    case 'init':
      return [
        'Begin with these operators, who must all sign:',
        ...body.operators.map(({ name, key }) => `  ${name}  ${key}`),
      ]
    case 'add':
    case 'remove':
      return [
        `${body.verb === 'add' ? 'Add' : 'Remove'} the operator ${body.operator.name}`,
        `  ${body.operator.key}`,
        `As link ${body.number}, after ${body.before}`,
      ]
    case 'approve':
      return [`Approve the transfer of ${formatUnits(body, decimals)}`, `To ${body.address}`]
    case 'reject':
      return [`Reject the transfer of ${formatUnits(body, decimals)}`, `To ${body.address}`, `Because: ${body.note}`]
    case 'pause':
      return [`Pause all payouts until ${formatUtc(body.until)}`, `Because: ${body.note}`]
    case 'resume':
      return ['Resume payouts', `Because: ${body.note}`]
    case 'list':
      return [`List an address that the pool may pay to, 48 hours from now at the earliest`, body.address, body.note]
    case 'pay':
      return [
        `Pay ${formatUnits(body, decimals)} from ${body.from}`,
        `To ${body.address}`,
        `For, as members will read: ${body.evidence}`,
      ]
    case 'approve-day':
      return [
        `Let the ${body.subject.replace(':', ' ')} share out up to ${formatUnits(body, decimals)}, above the daily limit of the plan`,
      ]
    case 'publish':
      return [
        `Publish the ${body.subject.replace(':', ', version ')}, whose hash is`,
        `  ${body.plan}`,
        `It starts ${body.starts === START_AT_ONCE ? 'with the second signature' : `on ${formatUtc(body.starts)}`}, or 7 days after the second signature where it makes leaving harder and that is later`,
        `By the operators of the link ${body.under}`,
        ...(body.decimals
          ? [
              `The tokens have these decimals for ever: ${assets.map((asset) => `${asset} ${body.decimals?.[asset]}`).join(', ')}`,
            ]
          : []),
      ]
    case 'authorise-expert':
    case 'approve-partner':
      return [
        `${body.verb === 'authorise-expert' ? 'Authorize as a sharing expert' : 'Approve as a partner'} the member ${body.address}`,
        `It is given ${formatUnits({ symbol: 'BTN', amount: body.airdrop }, decimals)} if the airdrop reserve can pay it, by version ${body.planVersion} of the plan`,
      ]
    case 'reject-partner':
      return [`Reject the partner application of the member ${body.address}`, `Because, as it will read: ${body.note}`]
    case 'return':
      return [
        `Return ${formatUnits(body, decimals)} to the address that it came from`,
        `To ${body.address}`,
        `Because: ${body.note}`,
      ]
    default:
      return describeRemedy(body, decimals)
  }
}

type RemedyVerb =
  | 'write-off'
  | 'fund-loss'
  | 'reverse'
  | 'end-stop'
  | 'rewind'
  | 'migrate-vault'
  | 'disable'
  | 'enable'
  | 'end-sessions'
  | 'prove-again'
  | 'withdraw'
  | 'publish-notice'
  | 'publish-help'
  | 'acknowledge-restore'

/** Decisions after something went wrong, and notices, which often tell members about it. */
function describeRemedy(body: Extract<DecisionBody, { verb: RemedyVerb }>, decimals: Decimals): string[] {
  switch (body.verb) {
    case 'write-off':
      return [
        `Write off ${formatUnits(body, decimals)} that left ${body.from === 'vault' ? 'the vault' : 'cold storage'} without a payout`,
        body.cause.startsWith('block:')
          ? `No log shows it: the balance had fallen at ${body.cause.replace(':', ' ')}`
          : `By the chain log ${body.cause}`,
        ...(body.arrived === '0'
          ? []
          : [`Besides it, ${formatUnits({ ...body, amount: body.arrived }, decimals)} arrived in cold storage`]),
        `Because, as members will read: ${body.note}`,
      ]
    case 'fund-loss':
      return [
        `Replace ${formatUnits(body, decimals)} of what is missing, from pool:operations`,
        `Because, as members will read: ${body.note}`,
      ]
    case 'reverse':
      return [
        `Undo the ${body.type} of ${formatUnits(body, decimals)}, ${body.key}${body.member === '0' ? '' : ` of member ${body.member}`}`,
        'It is undone 72 hours after the second signature, if its cause is false then, too. The member is told at once',
        `Because, as members will read: ${body.note}`,
      ]
    case 'end-stop':
      return [
        `End the stop of ${body.subject === 'stop:chain' ? 'the worker' : body.subject.replace('stop:', '')} of ${formatUtc(body.stoppedAt)} (${body.stoppedAt}), whose reason has the hash`,
        `  ${body.reason}`,
        `Because: ${body.note}`,
      ]
    case 'rewind':
      return [`Read the chain again after block ${body.block}`, `Because: ${body.note}`]
    case 'migrate-vault':
      return [
        `Move the pool from the vault ${body.from}`,
        `To the vault ${body.to}, whose logs count since block ${body.since}`,
        `Because: ${body.note}`,
      ]
    case 'disable':
      return [`Disable the member ${body.address}`, `Because, as it will read: ${body.note}`]
    case 'enable':
      return [
        `Enable the member ${body.address}, who was disabled on ${formatUtc(body.disabledAt)} (${body.disabledAt})`,
        `Because: ${body.note}`,
      ]
    case 'end-sessions':
      return [
        `End the sessions of ${body.of === ALL_MEMBERS ? 'all members' : `the member ${body.of}`}`,
        `Because: ${body.note}`,
      ]
    case 'prove-again':
      return ['Let the signer prove every credit and payout again before it pays', `Because: ${body.note}`]
    case 'withdraw':
      return [`Withdraw the ${body.subject.replace(':', ' ')}, whose text has the hash`, `  ${body.text}`]
    case 'publish-notice':
      return ['Publish to all members the notice whose text has the hash', `  ${body.text}`]
    case 'publish-help':
      return ['Replace all help articles with those whose text has the hash', `  ${body.text}`]
    case 'acknowledge-restore':
      return [
        'The database was restored. It is compared with the chain and with the signer’s journal, and payouts may go on',
        body.lines === 0
          ? 'There was no journal'
          : `The journal has ${body.lines} lines, whose hash is ${body.journal}`,
        `The chain was compared up to block ${body.block}`,
        `Because: ${body.note}`,
      ]
  }
}

const formatUnits = ({ symbol, amount }: { symbol: Asset; amount: string }, decimals: Decimals): string =>
  `${formatAmount(units(symbol, BigInt(amount)), decimals[symbol])} ${symbol}`

export const formatUtc = (time: string | Date): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
