/** Functions of shells, in the language of the machine that evaluates them. */

import { charge } from '#inspect/core/work.ts'
import { parse } from '../javascript/parser.ts'
import { childrenOf, type Node } from '../javascript/syntax.ts'

/** Of lists, a text is the items with spaces between. */
const SOURCE = String.raw`
function sh_text(x) { return typeof x == 'string' ? x : typeof x == 'object' && x !== null ? x.join(' ') : '' + x }
function sh_list(x) { return x === undefined || x === null ? [] : typeof x == 'object' ? x : [x] }
function sh_items(x) { return x === undefined || x === null || x.length === 0 ? [''] : typeof x == 'object' ? x : [x] }
function sh_add(a, b) { return a === undefined ? b : typeof a == 'string' ? a + sh_text(b) : typeof a == 'number' ? a + b : typeof a == 'object' && a !== null ? a.concat(b) : sh_text(a) + sh_text(b) }
function sh_char(x) { return typeof x == 'string' ? (x.length == 1 ? x : String.fromCharCode(+x)) : String.fromCharCode(x) }
function sh_chars(x) { if (typeof x == 'string') return x.split(''); var r = [], l = sh_list(x); for (var i = 0; i < l.length; i++) r.push(sh_char(l[i])); return r }
function sh_join(x, s) { return typeof x == 'object' && x !== null ? sh_slots(x).join(s) : sh_text(x) }
function sh_number(x) { return typeof x == 'string' ? (x.length == 1 && !(x >= '0' && x <= '9') ? x.charCodeAt(0) : +x) : x }
function sh_range(a, b) { var r = []; a = +a; b = +b; if (a <= b) for (; a <= b; a++) r.push(a); else for (; a >= b; a--) r.push(a); return r }
function sh_at(x, i) {
  if (typeof i == 'object') { var r = []; for (var k = 0; k < i.length; k++) r.push(sh_at(x, i[k])); return r }
  if (typeof i == 'string' && typeof x == 'object') return x[i.toLowerCase()];
  if (typeof x == 'string') return i < 0 ? x.charAt(x.length + +i) : x.charAt(i);
  return i < 0 ? x[x.length + +i] : x[i]
}
function sh_format(f, a) {
  var l = sh_list(a), r = f;
  for (var i = 0; i < l.length; i++) r = r.split('{' + i + '}').join(sh_text(l[i]));
  return r
}
function sh_replace(x, p, r, flags) { return sh_text(x).replace(new RegExp(p, flags), r) }
function sh_replaceBy(x, p, f, flags) {
  return sh_text(x).replace(new RegExp(p, flags), function () {
    var g = []; for (var i = 0; i < arguments.length - 1; i++) g.push({ value: arguments[i] });
    return sh_text(f({ value: arguments[0], groups: g }))
  })
}
function sh_swap(x, a, b) { return x.split(a).join(b) }
function sh_split(x, s) {
  if (typeof s == 'string' && s.length > 1 && s.charAt(0) == '\\') s = s.charAt(1) == 's' ? ' ' : s.substring(1);
  if (typeof x != 'object' || x === null) return sh_text(x).split(s);
  var r = []; for (var i = 0; i < x.length; i++) r = r.concat(sh_text(x[i]).split(s)); return r
}
function sh_splitBy(x, p) { var l = sh_list(x), r = []; for (var i = 0; i < l.length; i++) r = r.concat(sh_text(l[i]).replace(new RegExp(p, 'gi'), '\0').split('\0')); return r }
function sh_splitAny(x, s) { var r = [sh_text(x)]; s = sh_text(s); for (var i = 0; i < s.length; i++) r = r.join(s.charAt(i)).split(s.charAt(i)); return r }
function sh_bytes(x) { if (typeof x == 'object' && x !== null && x.length === 1 && typeof x[0] == 'object') x = x[0]; return typeof x == 'string' ? x : sh_chars(x).join('') }
function sh_base64(x) { return atob(sh_text(x)) }
function sh_fromBase64(x) { var t = atob(sh_text(x)); if (t.length > 1500) return t; var r = []; for (var i = 0; i < t.length; i++) r.push(t.charCodeAt(i)); return r }
function sh_value(x) { return typeof x == 'object' && x !== null && typeof x.value != 'function' ? x.value : x }
function sh_error(x, k) { return typeof x == 'object' && x !== null ? x[k] : x }
function sh_quote(x) { return "'" + sh_text(x).split("'").join("''") + "'" }
function sh_splat(x) {
  if (typeof x != 'object' || x === null) return x;
  var r = '';
  if (typeof x.length == 'number') for (var i = 0; i < x.length; i++) r += sh_quote(x[i]) + ' ';
  else for (var k in x) { var a = '-' + k + ' ' + sh_quote(x[k]) + ' '; r = k == 'filepath' ? a + r : r + a }
  return r
}
function sh_splatted(x, k, i) { return typeof x.length == 'number' ? x[i] : x[k] }
function sh_put(x, k, v) { x[typeof k == 'string' ? k.toLowerCase() : k] = v; return x }
function sh_append(x, t) { x.push(t); return x }
function sh_isMatch(x, p) { return typeof x == 'object' ? sh_undecided :  new RegExp(p, 'i').test(sh_text(x)) }
function sh_matches(x, p) { return sh_text(x).match(new RegExp(p, 'g')) }
function sh_wide(x) { return sh_bytes(x).split('\0').join('') }
function sh_toInt(x, base) { return base === undefined ? +x : parseInt(x, base) }
function sh_reverse(x) { return x.split('').reverse().join('') }
function sh_insert(x, i, t) { return x.substring(0, i) + t + x.substring(i) }
function sh_remove(x, i, n) { return n === undefined ? x.substring(0, i) : x.substring(0, i) + x.substring(i + n) }
function sh_part(x, i, n) { return n === undefined ? x.substring(i) : x.substring(i, i + n) }
function sh_fromHex(x) { var r = '', t = x.split(' ').join('').split('\n').join(''); for (var i = 0; i + 1 < t.length; i += 2) r += String.fromCharCode(parseInt(t.substr(i, 2), 16)); return r }
function sh_translate(x, from, to) {
  var r = '';
  for (var i = 0; i < x.length; i++) { var c = x.charAt(i), k = from.indexOf(c); r += k < 0 ? c : to === null ? '' : to.charAt(k < to.length ? k : to.length - 1) }
  return r
}
function sh_output(x) { var n = x.length; while (n > 0 && x.charAt(n - 1) == '\n') n--; return x.substring(0, n) }
function sh_keys(x) { var r = []; for (var k in x) r.push(k); return r }
function sh_code(x) { return typeof x == 'string' && x.length == 1 ? x.charCodeAt(0) : sh_number(x) }
function sh_expand(x, r) { x = sh_text(x); for (var k in r) x = x.split('$' + k).join(sh_text(r[k])); return x }
function sh_json(x) {
  var o = JSON.parse(sh_join(x, '\n')), r = {};
  if (typeof o != 'object' || o === null || typeof o.length == 'number') return o;
  for (var k in o) r[k.toLowerCase()] = o[k];
  return r
}
function sh_data(x) {
  var r = {}, l = sh_rows(x);
  for (var i = 0; i < l.length; i++) { var k = l[i].indexOf('='); if (k > 0) r[l[i].substring(0, k).trim().toLowerCase()] = sh_unescape(l[i].substring(k + 1).trim()) }
  return r
}
function sh_sortBy(x, f) { return sh_list(x).slice().sort(function (a, b) { var k = f(a), n = f(b); return k < n ? -1 : k > n ? 1 : 0 }) }
function sh_matched(x, p) {
  var m = sh_text(x).match(new RegExp(p, 'i')), g = [];
  if (m === null) return { value: '', groups: g };
  for (var i = 0; i < m.length; i++) g.push({ value: m[i] });
  return { value: m[0], groups: g }
}
function sh_parts(x, p) { var m = sh_text(x).match(new RegExp(p, 'i')); return m === null ? [] : m }
function sh_entities(x) { return sh_text(x).replace(/&#(x?)([0-9a-fA-F]{1,6});/g, function (a, h, d) { return String.fromCharCode(parseInt(d, h ? 16 : 10)) }).split('&lt;').join('<').split('&gt;').join('>').split('&quot;').join('"').split('&amp;').join('&') }
function sh_argument(l, i) { return i < l.length ? l[i] : '' }
function sh_slots(x) {
  if (typeof x != 'object' || x === null) return [sh_text(x)];
  if (typeof x.length == 'number') return x;
  var r = []; for (var k in x) r.push(x[k]); return r
}
function sh_fields(x, s, n) {
  var all = s === undefined || s === ' ' || s === '\n', d = all ? ' ' : s.charAt(0), l = s === '' ? [x] : (all ? x.split('\n').join(' ') : x).split(d), r = [];
  for (var i = 0; i < l.length; i++) if (!all || l[i] !== '') r.push(l[i]);
  return n === undefined || r.length <= n ? r : r.slice(0, n - 1).concat([r.slice(n - 1).join(d)])
}
function sh_rows(x) { return sh_output(sh_text(x)).split('\n') }
function sh_sequence(a, s, b) { var r = []; a = +a; s = +s; b = +b; if (s > 0) for (; a <= b; a += s) r.push(a); else if (s < 0) for (; a >= b; a += s) r.push(a); return r.join(' ') }
function sh_fold(x, n) { var r = []; for (var i = 0; i < x.length; i += n) r.push(x.substring(i, i + n)); return r.join('\n') }
function sh_first(x, n) { return n < 0 ? x.substring(0, x.length + n) : x.substring(0, n) }
function sh_last(x, n) { return x.substring(x.length - n) }
function sh_firstRows(x, n) { return sh_rows(x).slice(0, n).join('\n') }
function sh_lastRows(x, n) { var l = sh_rows(x); return l.slice(l.length > n ? l.length - n : 0).join('\n') }
function sh_column(x, s, n) { var l = x.split(s); return l.length == 1 ? x : n - 1 < l.length ? l[n - 1] : '' }
function sh_globbed(x, p) { return typeof x == 'object' ? sh_undecided :  new RegExp(p).test(sh_text(x)) }
function sh_pick(x, i) { return typeof x == 'object' && x !== null ? (+i == +i ? x[+i] : x[i]) : x }
function sh_swapCase(x) { var r = ''; for (var i = 0; i < x.length; i++) { var c = x.charAt(i); r += c == c.toLowerCase() ? c.toUpperCase() : c.toLowerCase() } return r }
function sh_base32(x) {
  var r = '', v = 0, n = 0;
  for (var i = 0; i < x.length; i++) {
    var k = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(x.charAt(i));
    if (k >= 0) { v = (v * 32 + k) & 65535; n += 5; if (n >= 8) { n -= 8; r += String.fromCharCode((v >> n) & 255) } }
  }
  return r
}
function sh_unescape(x) {
  if (x.indexOf('\\') < 0) return x;
  var r = '';
  for (var i = 0; i < x.length; i++) {
    var c = x.charAt(i);
    if (c != '\\' || i + 1 == x.length) { r += c; continue }
    c = x.charAt(++i);
    if (c == 'x') { var h = ''; while (h.length < 2 && '0123456789abcdefABCDEF'.indexOf(x.charAt(i + 1)) >= 0 && i + 1 < x.length) h += x.charAt(++i); r += String.fromCharCode(parseInt(h, 16)) }
    else if (c >= '0' && c <= '7') { var o = c; while (o.length < (o.charAt(0) == '0' ? 4 : 3) && x.charAt(i + 1) >= '0' && x.charAt(i + 1) <= '7' && i + 1 < x.length) o += x.charAt(++i); r += String.fromCharCode(parseInt(o, 8)) }
    else r += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == '\\' ? '\\' : c == '"' ? '"' : '\\' + c
  }
  return r
}
function sh_printed(v, k, w) {
  var t = k == 'b' ? sh_unescape(sh_text(v)) : k == 'x' ? (+v).toString(16) : k == 'X' ? (+v).toString(16).toUpperCase() : k == 'o' ? (+v).toString(8) : k == 'c' ? sh_text(v).charAt(0) : sh_text(v);
  return w ? t.padStart(+w, w.charAt(0) == '0' ? '0' : ' ') : t
}
function sh_printf(f, l) {
  var r = '', k = 0; f = sh_unescape(f);
  do {
    for (var i = 0; i < f.length; i++) {
      var c = f.charAt(i);
      if (c != '%') { r += c; continue }
      var w = ''; c = f.charAt(++i);
      while ((c >= '0' && c <= '9') || c == '-' || c == '.') { w += c; c = f.charAt(++i) }
      r += c == '%' ? '%' : sh_printed(k < l.length ? l[k] : '', c, w); if (c != '%') k++
    }
  } while (k > 0 && k < l.length)
  return r
}
function sh_swapOnce(x, a, b) { return x.replace(a, b) }
function sh_slice(x, i, n) { if (i < 0) i = x.length + i; return n === '' ? x.substring(i) : n < 0 ? x.substring(i, x.length + n) : x.substring(i, i + n) }
function sh_lines(x) { return x.split('\n').reverse().join('\n') }
`

const FUNCTIONS: ReadonlyMap<string, Node> = new Map(
  parse(SOURCE).body.flatMap((node) =>
    node.kind === 'declare' && node.target.kind === 'name' ? [[node.target.name, node] as const] : [],
  ),
)
const NODE_WORK = 50

/** The functions that a program calls, and those that they call. */
export function functionsFor(body: readonly Node[]): { body: Node[]; vars: string[] } {
  const found = new Map<string, Node>()
  const left = [...body]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    charge(NODE_WORK)
    for (const child of childrenOf(node)) left.push(child)
    const called = node.kind === 'name' && !found.has(node.name) ? FUNCTIONS.get(node.name) : undefined
    if (node.kind !== 'name' || called === undefined) continue
    found.set(node.name, called)
    left.push(called)
  }
  return { body: [...found.values()], vars: [...found.keys()] }
}
