import type { errors as en } from '../en/errors.ts'
import type { Translated } from '../translated.ts'

export const errors: Translated<typeof en> = {
  noResponse: '网络连接失败，请检查网络设置',
  requestFailed: '请求失败',
  netError: '网络错误！',
  missingToken: '缺少 token，请求被阻止',
  accountNotAvailable: '请求失败：账户不可用',
  navigation: '页面跳转失败，请重试',
  clipboardUnsupported: '您的浏览器不支持Clipboard API.',
  copySucceeded: '复制成功!',
  copyFailed: '复制失败，请重试.',
  status400: '请求参数错误',
  status403: '拒绝访问',
  status404: '请求资源不存在',
  status408: '请求超时',
  status500: '服务器内部错误',
  status501: '服务未实现',
  status502: '网关错误',
  status503: '服务不可用',
  status504: '网关超时',
}
