// Kestrel as a peer: kestrel PORT [CERT.p12] [conformance]. PORT: HTTP/1.1 and /ws; PORT+1: TLS 1.3 with ALPN; PORT+2: HTTP/2 with prior knowledge.
// dotnet publish -c Release -o kestrel; measured with .NET 10.0.12.
// Environment: INLINE=1 handlers on the IO thread; PLATFORM=1 the transport and the parser alone (Platform.cs).
using System.Net;
using System.Net.WebSockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Server.Kestrel.Core;

int port = int.Parse(args[0]);
string? cert = args.Length > 1 && args[1].EndsWith(".p12") ? args[1] : null;
bool conformance = args.Contains("conformance");
bool platform = Environment.GetEnvironmentVariable("PLATFORM") == "1";
bool inline = Environment.GetEnvironmentVariable("INLINE") == "1";
var builder = WebApplication.CreateSlimBuilder();
builder.Logging.ClearProviders();
builder.WebHost.UseSockets(o => { o.IOQueueCount = 1; o.UnsafePreferInlineScheduling = inline; });
builder.WebHost.ConfigureKestrel(o => {
  o.Listen(IPAddress.Loopback, port, l => { if (platform) l.Use(_ => Platform.Serve); else l.Protocols = HttpProtocols.Http1; });
  if (cert != null) o.Listen(IPAddress.Loopback, port + 1, l => { l.Protocols = HttpProtocols.Http1AndHttp2;
    l.UseHttps(X509CertificateLoader.LoadPkcs12FromFile(cert, "bench"), h => h.SslProtocols = SslProtocols.Tls13); });
  o.Listen(IPAddress.Loopback, port + 2, l => l.Protocols = HttpProtocols.Http2);
  o.Limits.Http2.MaxStreamsPerConnection = 256;
});
var app = builder.Build();
byte[] hello = "Hello, World!"u8.ToArray(), line = "data: 0123456789\n\n"u8.ToArray(), big = new byte[60_000_000], k64 = new byte[65536], m1 = new byte[1 << 20];
Array.Fill(k64, (byte)'a'); Array.Fill(m1, (byte)'a');
if (!conformance) app.UseWebSockets();
app.Run(async c => {
  var q = c.Request; var r = c.Response;
  if (conformance) {
    var m = new MemoryStream(); await q.Body.CopyToAsync(m);
    var echo = q.Method is "POST" or "PUT"; var b = echo ? m.ToArray() : "ok\n"u8.ToArray();
    r.ContentLength = b.Length; r.ContentType = echo ? "application/octet-stream" : "text/plain";
    if (q.Method != "HEAD") await r.Body.WriteAsync(b);
    return;
  }
  switch (q.Path.Value) {
    case "/json": r.ContentType = "application/json"; var j = JsonSerializer.SerializeToUtf8Bytes(new Msg("Hello, World!"), Json.Default.Msg); r.ContentLength = j.Length; r.BodyWriter.Write(j); await r.BodyWriter.FlushAsync(); return;
    case "/64k": r.ContentLength = k64.Length; await r.Body.WriteAsync(k64); return;
    case "/1m": r.ContentLength = m1.Length; await r.Body.WriteAsync(m1); return;
    case "/echo": r.ContentLength = q.ContentLength; await q.BodyReader.CopyToAsync(r.BodyWriter); return;
    case "/ws": using (var w = await c.WebSockets.AcceptWebSocketAsync()) { var buf = new byte[65536 + 64];
      while (true) { var x = await w.ReceiveAsync(buf.AsMemory(), default); if (x.MessageType == WebSocketMessageType.Close) { await w.CloseAsync(WebSocketCloseStatus.NormalClosure, "", default); return; }
        await w.SendAsync(buf.AsMemory(0, x.Count), x.MessageType, x.EndOfMessage, default); } }
    case "/slow/events": for (int i = 0; i < 60_000_000 / 18; i++) { await r.Body.WriteAsync(line); await r.Body.FlushAsync(); } return;
    case "/slow/8k": for (int i = 0; i < 7300; i++) await r.Body.WriteAsync(k64.AsMemory(0, 8192)); return;
    case "/slow/bytes": r.ContentLength = big.Length; await r.Body.WriteAsync(big); return;
    default: r.ContentType = "text/plain"; r.ContentLength = hello.Length; r.BodyWriter.Write(hello); return;
  }
});
app.Run();
record Msg(string message);
[JsonSerializable(typeof(Msg))] partial class Json : JsonSerializerContext;
static class W { public static void Write(this System.IO.Pipelines.PipeWriter w, byte[] b) { b.CopyTo(w.GetSpan(b.Length)); w.Advance(b.Length); } }
