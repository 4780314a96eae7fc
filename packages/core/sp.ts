import { Composer, LineCounter, Parser, parse, parseDocument, stringify } from "yaml"
for (const s of ["? ".repeat(400)+"1", "{".repeat(400)+"a"+": 1}".repeat(400), "[".repeat(400)+"a"+"]: 1".repeat(400), "- ".repeat(1000)+"1"]) {
 const text = `a:\n  ${s}`
 let t=process.cpuUsage()
 const c=new Composer({logLevel:"silent",uniqueKeys:false}); const [d]=c.compose(new Parser(new LineCounter().addNewLine).parse(text),true,text.length)
 let u=process.cpuUsage(t); console.log(s.slice(0,6),"compose",(u.user/1000)|0, d!.errors.length)
 t=process.cpuUsage(); try { d!.toJS() } catch(e) {console.log(String(e).slice(0,80))} u=process.cpuUsage(t); console.log("toJS",(u.user/1000)|0)
}
