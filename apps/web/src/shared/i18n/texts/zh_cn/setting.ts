import type { setting as en } from '../en/setting.ts'
import type { Translated } from '../translated.ts'

export const setting: Translated<typeof en> = {
  profile: '个人资料',
  address: '钱包地址',
  pages: '设置页面',
  transfer: '转出',
  transferText: '转到您的转出地址，以及转出记录',
  orders: '订单记录',
  ordersText: '您的订单与进度',
  payments: '支付记录',
  paymentsText: '您为订单支付的款项',
  dao: '矿池与方案',
  daoText: '方案与历史、矿池支出、合伙人申请',
  appearance: '外观',
  theme: '主题',
  themeSystem: '跟随系统',
  themePaper: '浅色',
  themeShaft: '深色',
  logout: '退出登录',
  logoutTitle: '要在此浏览器退出登录吗？',
  logoutText: '语言和主题会保留。再次进入时，请用钱包登录。',
}
