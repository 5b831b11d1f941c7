import type { Logger } from 'pino'
import type { OpenAnnouncementsReport } from '../vault/index.ts'
import type { CustodyMetrics } from './metrics.ts'

/** Reports what the vault's administrator has announced. */
export function createAnnouncementReports(metrics: Pick<CustodyMetrics, 'announcementsOpen'>, log: Logger) {
  let reported: ReadonlySet<string> = new Set()
  return {
    /** Reports each open announcement of the vault's administrator once, and again after a restart of the worker. */
    announced({ reports, unlisted }: OpenAnnouncementsReport): void {
      metrics.announcementsOpen.reset()
      if (unlisted > 0) metrics.announcementsOpen.inc({ kind: 'other' }, unlisted)
      for (const announcement of reports) {
        metrics.announcementsOpen.inc({ kind: announcement.kind })
        if (!reported.has(announcement.id))
          log.error(announcement, 'ALARM: the vault’s administrator announced a call; a guardian can withdraw it')
      }
      reported = new Set(reports.map(({ id }) => id))
    },
  }
}
