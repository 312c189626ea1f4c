package dev.peregrine.http.multipart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FormDataIT {
  private static final byte[] FILE = Requests.content(300_000);
  private static final byte[] EMPTY = {};

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path directory;

  /** What a handler does with a form that was read. */
  private interface Use {
    String of(FormData form) throws Exception;
  }

  private Handler reading(MultipartLimits limits, Use use) {
    return Handlers.blocking(
        (request, response) -> {
          String text;
          try (FormData form = FormData.read(request, limits, directory)) {
            text = use.of(form);
          }
          response.text(text); // after the files were deleted
        });
  }

  private RawResponse send(byte[] form, MultipartLimits limits, Use use) {
    HttpServer server = servers.start(reading(limits, use));
    return servers.connect(server).send(MultipartText.post(MultipartText.TYPE, form)).read();
  }

  private List<Path> found() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  @Test
  void readsFieldsAndFiles() throws IOException {
    byte[] form =
        new MultipartText()
            .field("title", "Käse")
            .file("photo", "../../../etc/passwd", FILE)
            .field("title", "")
            .file("photo", "", EMPTY)
            .file("photo", "", FILE)
            .file("other", "/x", EMPTY)
            .end();

    RawResponse response =
        send(
            form,
            MultipartLimits.DEFAULTS,
            read -> {
              assertThat(read.fields().names()).containsExactly("title");
              assertThat(read.fields().all("title")).containsExactly("Käse", "");
              assertThat(read.files()).hasSize(3);
              assertThat(read.file("other")).isEqualTo(read.files().getLast());
              assertThat(read.file("none")).isNull();
              assertThat(read.files("photo")).hasSize(2);
              assertThat(read.files())
                  .allSatisfy(
                      file -> {
                        assertThat(file.path().getParent()).isEqualTo(directory);
                        assertThat(file.path().getFileName().toString())
                            .matches("upload-\\d+\\.part");
                        byte[] content = file.name().equals("other") ? EMPTY : FILE;
                        assertThat(file.path()).hasBinaryContent(content);
                        assertThat(file.bytes()).isEqualTo(content.length);
                      });
              UploadedFile first = Objects.requireNonNull(read.file("photo"));
              assertThat(first.head().filename()).isEqualTo("../../../etc/passwd");
              Path target = directory.resolve("kept");
              assertThat(first.moveTo(target)).isEqualTo(target);
              return "fine";
            });

    assertThat(response.text()).isEqualTo("fine");
    assertThat(found()).containsExactly(directory.resolve("kept"));
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void letsOnlyItsOwnUserReadFiles() {
    RawResponse response =
        send(
            new MultipartText().file("f", "n", FILE).end(),
            MultipartLimits.DEFAULTS,
            form ->
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(form.files().getFirst().path())));

    assertThat(response.text()).isEqualTo("rw-------");
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain, J\u00f6rg, 200, J\u00f6rg",
    "text/plain; charset=\"UTF-8\", a, 200, a",
    "text/plain; charset=us-ascii, a, 200, a",
    "text/plain; charset=iso-8859-1, a, 415, must be UTF-8",
    "text/plain; charset, a, 415, must be UTF-8",
  })
  void readsTextInUtf8Only(String type, String value, int status, String text) {
    byte[] form =
        new MultipartText()
            .part(
                "form-data; name=a",
                "Content-Type: " + type + "\r\n",
                value.getBytes(StandardCharsets.UTF_8))
            .end();

    RawResponse response =
        send(form, MultipartLimits.DEFAULTS, read -> read.fields().required("a"));

    assertThat(response.status()).isEqualTo(status);
    assertThat(new String(response.content(), StandardCharsets.UTF_8)).contains(text);
  }

  @Test
  void rejectsTextThatIsNotUtf8() {
    for (byte[] value : new byte[][] {{(byte) 0xFF}, {(byte) 0xC3}, {0}}) {
      byte[] form = new MultipartText().part("form-data; name=a", "", value).end();

      RawResponse response = send(form, MultipartLimits.DEFAULTS, read -> "read");

      assertThat(response.status()).isEqualTo(400);
      assertThat(response.text()).contains("a field is not UTF-8, or has a NUL");
    }
  }

  @Test
  void boundsAllFieldsTogether() {
    MultipartLimits limits = MultipartLimits.builder().fieldsBytesMax(100).build();
    for (int size : new int[] {59, 60, 61}) {
      byte[] form =
          new MultipartText().field("a", "x".repeat(40)).field("b", "x".repeat(size)).end();

      RawResponse response = send(form, limits, read -> "read");

      assertThat(response.status()).isEqualTo(size <= 60 ? 200 : 413);
      assertThat(response.text()).contains(size <= 60 ? "read" : "100 bytes (fieldsBytesMax)");
    }
  }

  /** Advisories about forms of many small parts. */
  @Test
  void boundsManySmallParts() throws IOException {
    MultipartText form = new MultipartText();
    for (int i = 0; i < 3_000; i++) {
      form.part(i % 2 == 0 ? "form-data; name=a" : "form-data; name=a; filename=f", "", EMPTY);
    }

    RawResponse response = send(form.end(), MultipartLimits.DEFAULTS, read -> "read");

    assertThat(response.status()).isEqualTo(413);
    assertThat(response.text()).contains("a form of more than 256 parts (partsMax)");
    assertThat(found()).isEmpty();
  }

  @Test
  void leavesNoFilesOfAFormThatIsRejected() throws IOException {
    for (byte[] form :
        new byte[][] {
          new MultipartText().file("a", "a", FILE).file("b", "b", FILE).raw("--XX-\r\n").end(),
          new MultipartText().file("a", "a", FILE).raw("--XX\r\nX: y\r\n\r\n").end(),
          new MultipartText().file("a", "a", FILE).field("b", "x".repeat(70_000)).end()
        }) {
      RawResponse response = send(form, MultipartLimits.DEFAULTS, read -> "read");

      assertThat(response.status()).isBetween(400, 413);
      assertThat(found()).isEmpty();
    }
  }

  @Test
  void leavesNoFilesOfAHandlerThatFails() throws IOException {
    RawResponse response =
        send(
            new MultipartText().file("a", "a", FILE).end(),
            MultipartLimits.DEFAULTS,
            form -> {
              throw new IllegalStateException("intended");
            });

    assertThat(response.status()).isEqualTo(500);
    servers.log().await(Level.SEVERE);
    assertThat(found()).isEmpty();
  }

  @Test
  void leavesNoFilesWhenTheClientHasGone() throws IOException {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try {
                    FormData.read(request, MultipartLimits.DEFAULTS, directory).close();
                  } catch (IOException incomplete) {
                    failure.complete(incomplete);
                    throw incomplete;
                  }
                }));
    RawClient client = servers.connect(server);
    byte[] form = new MultipartText().file("a", "a", FILE).file("b", "b", FILE).end();

    client.send(MultipartText.head(MultipartText.TYPE, form.length)).send(form, 0, 400_000);
    while (found().size() < 2) {
      Thread.onSpinWait();
    }
    client.reset();

    assertThat(failure.join()).isInstanceOf(IOException.class);
    assertThat(found()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void triesToDeleteAllFilesAndNamesEachFailure(boolean checked) throws IOException {
    Path archive = directory.resolve("archive.zip");
    FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"));
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  Path target = checked ? directory : zip.getPath("/");
                  FormData form = FormData.read(request, MultipartLimits.DEFAULTS, target);
                  if (checked) {
                    for (UploadedFile file : form.files()) {
                      Files.delete(file.path());
                      Files.createDirectories(file.path().resolve("child"));
                    }
                  } else {
                    zip.close(); // an unchecked exception
                  }
                  failure.complete(catchThrowable(form::close));
                  response.send();
                }));
    byte[] form = new MultipartText().file("a", "a", FILE).file("b", "b", FILE).end();

    servers.connect(server).send(MultipartText.post(MultipartText.TYPE, form)).read();

    Class<?> type = checked ? DirectoryNotEmptyException.class : RuntimeException.class;
    assertThat(failure.join()).isInstanceOf(type);
    assertThat(failure.join().getSuppressed()).hasSize(1).hasOnlyElementsOfType(type);
    zip.close();
  }

  @Test
  void joinsFailuresEvenIfTheyAreOneObject() {
    Error first = new OutOfMemoryError("intended");
    IOException second = new IOException("intended");

    assertThat(Failures.join(null, first)).isSameAs(first);
    assertThat(Failures.join(first, first)).isSameAs(first);
    assertThat(Failures.join(first, second)).isSameAs(first);

    assertThat(first.getSuppressed()).containsExactly(second);
  }

  @Test
  void failsInADirectoryThatDoesNotExist() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) ->
                    FormData.read(request, MultipartLimits.DEFAULTS, directory.resolve("none"))
                        .close()));

    RawResponse response =
        servers
            .connect(server)
            .send(
                MultipartText.post(
                    MultipartText.TYPE, new MultipartText().file("a", "a", FILE).end()))
            .read();

    assertThat(response.status()).isEqualTo(500);
    assertThat(servers.log().await(Level.SEVERE))
        .singleElement()
        .satisfies(line -> assertThat(line.getThrown()).isInstanceOf(NoSuchFileException.class));
  }

  @Test
  void writesAPartToANewFileOnly() throws IOException {
    Path target = directory.resolve("target");
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (MultipartReader parts =
                      MultipartReader.open(request, MultipartLimits.DEFAULTS)) {
                    assertThat(Objects.requireNonNull(parts.next()).transferTo(target))
                        .isEqualTo(FILE.length);
                    Part second = Objects.requireNonNull(parts.next());
                    assertThatThrownBy(() -> second.transferTo(target))
                        .isInstanceOf(FileAlreadyExistsException.class);
                    assertThat(second.readAll(100)).isEqualTo(new byte[] {'v'});
                  }
                  response.text("fine");
                }));
    byte[] form = new MultipartText().file("a", "a", FILE).field("b", "v").end();

    RawResponse response =
        servers.connect(server).send(MultipartText.post(MultipartText.TYPE, form)).read();

    assertThat(response.text()).isEqualTo("fine");
    assertThat(target).hasBinaryContent(FILE);
  }
}
