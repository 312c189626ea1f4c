package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.multipart.FormData;
import dev.peregrine.http.multipart.MultipartFlow;
import dev.peregrine.http.multipart.MultipartLimits;
import dev.peregrine.http.multipart.MultipartListener;
import dev.peregrine.http.multipart.MultipartReader;
import dev.peregrine.http.multipart.Part;
import dev.peregrine.http.multipart.PartHead;
import dev.peregrine.http.multipart.UploadedFile;
import java.io.FileOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forms with files, as docs/guide/request-content.md shows them. See {@link GuideTextTest}. */
class GuideFormsTest extends GuideCase {
  private static final String FORM =
      """
      --b\r
      Content-Disposition: form-data; name="title"\r
      \r
      Harbour\r
      --b\r
      Content-Disposition: form-data; name="photo"; filename="a.jpg"\r
      Content-Type: image/jpeg\r
      \r
      12345\r
      --b--\r
      """;

  @TempDir Path directory;

  @Test
  void readsAForm() throws Exception {
    Path photos = Files.createDirectory(directory.resolve("photos"));
    // snippet: form-data
    MultipartLimits limits =
        MultipartLimits.builder()
            .partsMax(20)
            .partBytesMax(10_000_000)
            .contentBytesMax(200_000_000)
            .build();
    Handler form =
        Handlers.blocking(
            (request, response) -> {
              try (FormData data = FormData.read(request, limits, directory)) {
                String title = data.fields().required("title");
                for (UploadedFile file : data.files("photo")) {
                  file.moveTo(photos.resolve(UUID.randomUUID() + ".jpg")); // never its own name
                }
                response.text(title + ": " + data.files().size() + " photos\n");
              }
            });
    // end

    assertThat(post(form)).isEqualTo("Harbour: 1 photos\n");
    try (var files = Files.list(photos)) {
      assertThat(files).singleElement().satisfies(file -> assertThat(file).hasContent("12345"));
    }
  }

  @Test
  void readsPartsOneAfterTheOther() throws Exception {
    Path target = directory.resolve("target");
    // snippet: form-parts
    MultipartLimits large =
        MultipartLimits.builder()
            .partBytesMax(5_000_000_000L)
            .contentBytesMax(5_001_000_000L)
            .build();
    Handler store =
        Handlers.blocking(
            (request, response) -> {
              long bytes = 0;
              try (MultipartReader parts = MultipartReader.open(request, large);
                  WritableByteChannel storage =
                      new FileOutputStream(target.toFile()).getChannel()) {
                for (Part part = parts.next(); part != null; part = parts.next()) {
                  if (part.isFile()) {
                    bytes += part.transferTo(storage); // as fast as the storage takes it
                  }
                }
              }
              response.text(bytes + " bytes\n");
            });
    // end

    assertThat(post(store)).isEqualTo("5 bytes\n");
    assertThat(target).hasContent("12345");
  }

  // snippet: form-listener
  static final class Sizes implements MultipartListener {
    private final Response response;
    private final Map<String, Long> sizes = new TreeMap<>();
    private String name = "";

    Sizes(Response response) {
      this.response = response;
    }

    @Override
    public void onPart(PartHead part) {
      name = part.name();
    }

    @Override
    public void onData(Bytes data) { // valid during this call only
      sizes.merge(name, (long) data.length(), Long::sum);
    }

    @Override
    public void onPartEnd() {}

    @Override
    public void onEnd() {
      response.text(sizes + "\n");
    }
  }

  // end

  @Test
  void takesPartsOnTheEventLoop() throws Exception {
    // snippet: form-flow
    Handler sizes =
        (request, response) ->
            MultipartFlow.receive(request, response, MultipartLimits.DEFAULTS, new Sizes(response));
    // end

    assertThat(post(sizes)).isEqualTo("{photo=5, title=7}\n");
  }

  private String post(Handler handler) throws Exception {
    Client client = serve(handler);
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + client.port() + "/"))
                  .header("Content-Type", "multipart/form-data; boundary=b")
                  .POST(BodyPublishers.ofString(FORM))
                  .build(),
              BodyHandlers.ofString());
      return response.body();
    }
  }
}
