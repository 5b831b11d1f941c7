import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answersOk, startProcess } from '../stack/process.ts'
import { waitForAll } from '../stack/wait-for-all.ts'
import { answersWith } from './database-cluster.ts'
import type { keepRunning } from './keep-running.ts'
import type { ClusterPorts } from './ports.ts'
import { opsFolder, writeSettings } from './settings-file.ts'

type Options = {
  readonly folder: string
  readonly ports: ClusterPorts
  readonly keep: (name: string, start: Parameters<typeof keepRunning>[1]) => Promise<void>
}

/** Prometheus with the rules of `ops/alerts.yaml`, Alertmanager, and the figures of the host such as its disk. */
export async function startMonitoring(
  { folder, ports, keep }: Options,
  { alarmSpeed = 1 }: { readonly alarmSpeed?: number },
): Promise<void> {
  writeFileSync(join(folder, 'alerts.yaml'), speedUp(readFileSync(join(opsFolder, 'alerts.yaml'), 'utf8'), alarmSpeed))
  await waitForAll([
    keep('alertmanager', (signal) => startAlertmanager(folder, ports, signal)),
    keep('prometheus', (signal) => startPrometheus(folder, ports, signal)),
    keep('host figures', (signal) => startHostFigures(ports, signal)),
  ])
}

const SECONDS = { s: 1, m: 60, h: 3_600 } as const

/** Divides every `for`, and every range such as `[5m]`. A range must stay longer than two scrapes. */
function speedUp(rules: string, speed: number): string {
  const faster = (count: string, unit: string, least: number): string =>
    `${Math.max(least, Math.round((Number(count) * SECONDS[unit as keyof typeof SECONDS]) / speed))}s`
  return rules
    .replaceAll(/(?<=^ +for: )(\d+)([smh])$/gm, (_, count: string, unit: string) => faster(count, unit, 0))
    .replaceAll(/\[(\d+)([smh])\]/g, (_, count: string, unit: string) => `[${faster(count, unit, 20)}]`)
}

function startPrometheus(folder: string, ports: ClusterPorts, signal: AbortSignal) {
  const file = join(folder, 'prometheus.yaml')
  const targets = (...list: readonly number[]) => JSON.stringify(list.map((port) => `127.0.0.1:${port}`))
  const values = {
    OPS: folder,
    API_TARGETS: targets(...ports.apis),
    WORKER_TARGETS: targets(...ports.workers),
    SIGNER_TARGETS: targets(...ports.signers),
    PATRONI_TARGETS: targets(...ports.nodes.map(({ patroni }) => patroni)),
    ETCD_TARGETS: targets(...ports.nodes.map(({ etcd }) => etcd)),
    PROXY_TARGETS: targets(ports.proxyFigures),
    ALERTMANAGER_TARGETS: targets(ports.alertmanager),
    HOST_TARGETS: targets(ports.hostFigures),
  }
  writeSettings('prometheus.yaml', values, file)
  return startProcess({
    name: 'prometheus',
    command: 'prometheus',
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${ports.prometheus}`,
    ],
    ready: () => answersWith(`http://127.0.0.1:${ports.prometheus}/-/ready`),
    signal,
  })
}

const startAlertmanager = (folder: string, ports: ClusterPorts, signal: AbortSignal) =>
  startProcess({
    name: 'alertmanager',
    command: 'prometheus-alertmanager',
    args: [
      `--config.file=${join(opsFolder, 'alertmanager.yaml')}`,
      `--storage.path=${join(folder, 'alertmanager')}`,
      `--web.listen-address=127.0.0.1:${ports.alertmanager}`,
      '--cluster.listen-address=',
    ],
    ready: () => answersWith(`http://127.0.0.1:${ports.alertmanager}/-/ready`),
    signal,
  })

const startHostFigures = (ports: ClusterPorts, signal: AbortSignal) =>
  startProcess({
    name: 'host figures',
    command: 'prometheus-node-exporter',
    args: [`--web.listen-address=127.0.0.1:${ports.hostFigures}`],
    ready: () => answersOk(`http://127.0.0.1:${ports.hostFigures}/metrics`),
    signal,
  })
