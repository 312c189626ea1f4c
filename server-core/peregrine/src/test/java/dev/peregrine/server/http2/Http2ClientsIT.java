package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Processes;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Site;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients of other projects, on plain text and over TLS: the JDK's, and where they are installed,
 * curl, nghttp, h2load, Node, Go, and Python's httpx.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
final class Http2ClientsIT {
  private static final byte[] LARGE = Requests.content(3_000_000);

  private static final String NODE =
      """
      const http2 = require('http2');
      const client = http2.connect(process.argv[1], {rejectUnauthorized: false});
      function send(head, content) {
        return new Promise((done, failed) => {
          const stream = client.request(head);
          const parts = [];
          let status;
          stream.on('response', fields => status = fields[':status']);
          stream.on('data', part => parts.push(part));
          stream.on('end', () => done({status, content: Buffer.concat(parts)}));
          stream.on('error', failed);
          stream.end(content);
        });
      }
      (async () => {
        const sent = Buffer.alloc(3000000, 'abcdefg');
        const echoed = await send({':method': 'POST', ':path': '/echo'}, sent);
        const many = await Promise.all([...Array(300)].map((_, i) =>
            send({':path': i % 10 ? '/' : '/large'})));
        const missing = await send({':path': '/missing'});
        console.log(echoed.content.equals(sent), missing.status,
            many.every((one, i) => one.content.length == (i % 10 ? 5 : 1 << 20)));
        client.close();
      })();
      """;

  private static final String PYTHON =
      """
      import asyncio, sys, httpx
      async def main():
          sent = b'abcdefg' * 400000
          async with httpx.AsyncClient(http1=False, http2=True, verify=False, timeout=60,
                  trust_env=False) as client:
              url = sys.argv[1]
              echoed = await client.post(url + '/echo', content=sent)
              many = await asyncio.gather(*[client.get(url + '/') for _ in range(90)])
              large = await client.get(url + '/large')
              print(echoed.http_version, echoed.content == sent, len(large.content),
                  all(one.text == 'hello' for one in many))
      asyncio.run(main())
      """;

  private static final String GO =
      """
      package main

      import (
        "bytes"
        "crypto/tls"
        "fmt"
        "io"
        "net/http"
        "os"
        "sync"
        "sync/atomic"
      )

      func main() {
        protocols := new(http.Protocols)
        protocols.SetHTTP2(true)
        protocols.SetUnencryptedHTTP2(true)
        client := &http.Client{Transport: &http.Transport{Protocols: protocols,
          TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
        url := os.Args[1]
        sent := bytes.Repeat([]byte("abcdefg"), 400000)
        response, err := client.Post(url+"/echo", "text/plain", bytes.NewReader(sent))
        if err != nil {
          panic(err)
        }
        echoed, _ := io.ReadAll(response.Body)
        var right atomic.Int32
        var group sync.WaitGroup
        for i := range 300 {
          group.Add(1)
          go func() {
            defer group.Done()
            path, length := "/", 5
            if i%10 == 0 {
              path, length = "/large", 1<<20
            }
            if one, err := client.Get(url + path); err == nil {
              content, err := io.ReadAll(one.Body)
              if err == nil && one.StatusCode == 200 && len(content) == length {
                right.Add(1)
              }
            }
          }()
        }
        group.Wait()
        fmt.Println(response.Proto, bytes.Equal(echoed, sent), right.Load())
      }
      """;

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path directory;

  private final boolean tls;
  private String url;

  Http2ClientsIT(boolean tls) {
    this.tls = tls;
  }

  @BeforeEach
  void start() {
    HttpServer server =
        servers.start(
            Site::handle,
            options -> {
              if (tls) {
                options.with(Certificates.TLS);
              }
            });
    url = (tls ? "https" : "http") + "://localhost:" + server.port();
  }

  // ---- the JDK ----

  @Test
  void theJdksClientSendsManyRequests() throws Exception {
    assumeTrue(tls, "the client has no prior knowledge");
    try (HttpClient client = HttpClient.newBuilder().sslContext(Certificates.client()).build()) {
      List<CompletableFuture<HttpResponse<byte[]>>> responses = new ArrayList<>();
      responses.add(
          client.sendAsync(
              request("/echo").POST(BodyPublishers.ofByteArray(LARGE)).build(),
              BodyHandlers.ofByteArray()));
      for (int i = 0; i < 90; i++) {
        String path = i % 10 == 0 ? "/large" : "/";
        responses.add(client.sendAsync(request(path).build(), BodyHandlers.ofByteArray()));
      }

      assertThat(responses.getFirst().join().body()).isEqualTo(LARGE);
      for (int i = 0; i < 90; i++) {
        HttpResponse<byte[]> response = responses.get(i + 1).join();
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(response.body()).hasSize(i % 10 == 0 ? Site.LARGE.length : 5);
      }
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path));
  }

  // ---- curl ----

  @Test
  void curlGets() throws Exception {
    assertThat(curl("-i", url + "/"))
        .startsWith("HTTP/2 200 \r\n")
        .contains("\r\ncontent-length: 5\r\n")
        .endsWith("\r\n\r\nhello");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/echo", "/whole", "/blocking"})
  void curlPosts(String path) throws Exception {
    Path sent = Files.write(directory.resolve("sent"), LARGE);
    Path echoed = directory.resolve("echoed");

    curl("-o", echoed.toString(), "--data-binary", "@" + sent, url + path);
    assertThat(Files.readAllBytes(echoed)).isEqualTo(LARGE);

    curl("-o", echoed.toString(), "-X", "POST", "-T", sent.toString(), url + path);
    assertThat(Files.readAllBytes(echoed)).isEqualTo(LARGE);
  }

  @Test
  void curlHeads() throws Exception {
    assertThat(curl("-I", url + "/large"))
        .startsWith("HTTP/2 200")
        .contains("\r\ncontent-length: " + Site.LARGE.length + "\r\n");
  }

  @Test
  void curlSendsManyRequestsAtOnce() throws Exception {
    String output =
        curl(
            "-Z",
            "--parallel-immediate", // curl 7.88 fails with any server if it waits for a connection
            "--parallel-max",
            "50",
            "-o",
            "/dev/null",
            "-w",
            "%{http_code} %{http_version};",
            url + "/?[1-50]");

    assertThat(output).isEqualTo("200 2;".repeat(50));
  }

  private String curl(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("curl", "--noproxy", "*", "-s", "-k"));
    command.addAll(List.of("--max-time", "60"));
    command.add(tls ? "--http2" : "--http2-prior-knowledge");
    command.addAll(List.of(arguments));
    return run(command);
  }

  // ---- nghttp2 ----

  @Test
  void nghttpGetsWithPushesOffAndSmallWindows() throws Exception {
    String output = run(List.of("nghttp", "-w", "10", "-W", "16", url + "/large"));

    assertThat(output).hasSize(Site.LARGE.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--padding=0", "--padding=255", "--trailer=x: y", "--continuation"})
  void nghttpPosts(String option) throws Exception {
    Path sent = Files.write(directory.resolve("sent"), LARGE);

    String output = run(List.of("nghttp", option, "-d", sent.toString(), url + "/echo"));

    assertThat(output.getBytes(StandardCharsets.ISO_8859_1)).isEqualTo(LARGE);
  }

  @Test
  void nghttpChangesItsTable() throws Exception {
    String output =
        run(
            List.of(
                "nghttp",
                "--header-table-size=4096",
                "--header-table-size=0",
                "--header-table-size=100",
                "--encoder-header-table-size=0",
                "-m",
                "5",
                "-nv",
                url + "/"));

    assertThat(output.split(":status: 200", -1)).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/large", "/missing"})
  void h2loadSendsManyRequests(String path) throws Exception {
    int count = path.equals("/large") ? 500 : 20_000;

    String output = run(List.of("h2load", "-n", "" + count, "-c", "10", "-m", "100", url + path));

    assertThat(output)
        .contains(count + " done")
        .contains(" 0 errored, 0 timeout")
        .contains(path.equals("/missing") ? count + " 4xx" : count + " 2xx");
  }

  // ---- languages ----

  @Test
  void nodeSendsManyRequests() throws Exception {
    assertThat(run(List.of("node", "-e", NODE, url))).isEqualTo("true 404 true\n");
  }

  @Test
  void goSendsManyRequests() throws Exception {
    assumeTrue(Processes.succeeds("go", "version"), "Go is not installed");
    Path program = Files.writeString(directory.resolve("client.go"), GO);

    assertThat(Processes.run(directory, List.of("go", "run", program.toString(), url)))
        .isEqualTo("HTTP/2.0 true 300\n");
  }

  @Test
  void pythonSendsManyRequests() throws Exception {
    assumeTrue(Processes.succeeds("python3", "-c", "import httpx, h2"), "httpx is not installed");

    assertThat(run(List.of("python3", "-c", PYTHON, url)))
        .isEqualTo("HTTP/2 True " + Site.LARGE.length + " True\n");
  }

  private String run(List<String> command) throws Exception {
    String program = command.getFirst();
    assumeTrue(
        Processes.succeeds(program, "--version"),
        program + " is not installed: this is not tested here");
    return Processes.run(directory, command);
  }
}
