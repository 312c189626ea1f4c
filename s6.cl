[0.018s] java.lang.Object source: shared objects file
[0.018s] java.io.Serializable source: shared objects file
[0.018s] java.lang.Comparable source: shared objects file
[0.018s] java.lang.CharSequence source: shared objects file
[0.018s] java.lang.constant.Constable source: shared objects file
[0.018s] java.lang.constant.ConstantDesc source: shared objects file
[0.018s] java.lang.String source: shared objects file
[0.018s] java.lang.reflect.AnnotatedElement source: shared objects file
[0.018s] java.lang.reflect.GenericDeclaration source: shared objects file
[0.018s] java.lang.reflect.Type source: shared objects file
[0.018s] java.lang.invoke.TypeDescriptor source: shared objects file
[0.018s] java.lang.invoke.TypeDescriptor$OfField source: shared objects file
[0.018s] java.lang.Class source: shared objects file
[0.018s] java.lang.Cloneable source: shared objects file
[0.018s] java.lang.ClassLoader source: shared objects file
[0.018s] java.lang.System source: shared objects file
[0.018s] java.lang.Throwable source: shared objects file
[0.018s] java.lang.Error source: shared objects file
[0.018s] java.lang.Exception source: shared objects file
[0.018s] java.lang.RuntimeException source: shared objects file
[0.018s] java.security.ProtectionDomain source: shared objects file
[0.018s] java.security.SecureClassLoader source: shared objects file
[0.018s] java.lang.ReflectiveOperationException source: shared objects file
[0.018s] java.lang.ClassNotFoundException source: shared objects file
[0.018s] java.lang.Record source: shared objects file
[0.018s] java.lang.LinkageError source: shared objects file
[0.018s] java.lang.NoClassDefFoundError source: shared objects file
[0.018s] java.lang.ClassCastException source: shared objects file
[0.018s] java.lang.ArrayStoreException source: shared objects file
[0.018s] java.lang.VirtualMachineError source: shared objects file
[0.018s] java.lang.InternalError source: shared objects file
[0.018s] java.lang.OutOfMemoryError source: shared objects file
[0.018s] java.lang.StackOverflowError source: shared objects file
[0.018s] java.lang.IllegalMonitorStateException source: shared objects file
[0.018s] java.lang.ref.Reference source: shared objects file
[0.018s] java.lang.IllegalCallerException source: shared objects file
[0.018s] java.lang.ref.SoftReference source: shared objects file
[0.018s] java.lang.ref.WeakReference source: shared objects file
[0.018s] java.lang.ref.FinalReference source: shared objects file
[0.018s] java.lang.ref.PhantomReference source: shared objects file
[0.018s] java.lang.ref.Finalizer source: shared objects file
[0.018s] java.lang.Runnable source: shared objects file
[0.018s] java.lang.Thread source: shared objects file
[0.018s] java.lang.Thread$FieldHolder source: shared objects file
[0.018s] java.lang.Thread$Constants source: shared objects file
[0.018s] java.lang.Thread$UncaughtExceptionHandler source: shared objects file
[0.018s] java.lang.ThreadGroup source: shared objects file
[0.018s] java.lang.BaseVirtualThread source: shared objects file
[0.018s] java.lang.VirtualThread source: shared objects file
[0.018s] java.lang.ThreadBuilders$BoundVirtualThread source: shared objects file
[0.018s] java.util.Dictionary source: shared objects file
[0.018s] java.util.Map source: shared objects file
[0.018s] java.util.Hashtable source: shared objects file
[0.018s] java.util.Properties source: shared objects file
[0.018s] java.lang.Module source: shared objects file
[0.018s] java.lang.reflect.AccessibleObject source: shared objects file
[0.018s] java.lang.reflect.Member source: shared objects file
[0.018s] java.lang.reflect.Field source: shared objects file
[0.018s] java.lang.reflect.Parameter source: shared objects file
[0.018s] java.lang.reflect.Executable source: shared objects file
[0.018s] java.lang.reflect.Method source: shared objects file
[0.018s] java.lang.reflect.Constructor source: shared objects file
[0.018s] jdk.internal.vm.ContinuationScope source: shared objects file
[0.018s] jdk.internal.vm.Continuation source: shared objects file
[0.018s] jdk.internal.vm.StackChunk source: shared objects file
[0.018s] jdk.internal.reflect.MethodAccessor source: shared objects file
[0.018s] jdk.internal.reflect.MethodAccessorImpl source: shared objects file
[0.018s] jdk.internal.reflect.ConstantPool source: shared objects file
[0.018s] java.lang.annotation.Annotation source: shared objects file
[0.018s] jdk.internal.reflect.CallerSensitive source: shared objects file
[0.018s] jdk.internal.reflect.ConstructorAccessor source: shared objects file
[0.018s] jdk.internal.reflect.ConstructorAccessorImpl source: shared objects file
[0.018s] jdk.internal.reflect.DirectConstructorHandleAccessor$NativeAccessor source: shared objects file
[0.018s] java.lang.invoke.MethodHandle source: shared objects file
[0.018s] java.lang.invoke.DirectMethodHandle source: shared objects file
[0.018s] java.lang.invoke.VarHandle source: shared objects file
[0.018s] java.lang.invoke.MemberName source: shared objects file
[0.018s] java.lang.invoke.ResolvedMethodName source: shared objects file
[0.018s] java.lang.invoke.MethodHandleImpl source: shared objects file
[0.018s] java.lang.invoke.MethodHandleNatives source: shared objects file
[0.018s] java.lang.invoke.LambdaForm source: shared objects file
[0.018s] java.lang.invoke.TypeDescriptor$OfMethod source: shared objects file
[0.018s] java.lang.invoke.MethodType source: shared objects file
[0.018s] java.lang.BootstrapMethodError source: shared objects file
[0.018s] java.lang.invoke.CallSite source: shared objects file
[0.018s] jdk.internal.foreign.abi.NativeEntryPoint source: shared objects file
[0.018s] jdk.internal.foreign.abi.ABIDescriptor source: shared objects file
[0.018s] jdk.internal.foreign.abi.VMStorage source: shared objects file
[0.018s] jdk.internal.foreign.abi.UpcallLinker$CallRegs source: shared objects file
[0.018s] java.lang.invoke.ConstantCallSite source: shared objects file
[0.018s] java.lang.invoke.MutableCallSite source: shared objects file
[0.018s] java.lang.invoke.VolatileCallSite source: shared objects file
[0.018s] java.lang.AssertionStatusDirectives source: shared objects file
[0.018s] java.lang.Appendable source: shared objects file
[0.018s] java.lang.AbstractStringBuilder source: shared objects file
[0.018s] java.lang.StringBuffer source: shared objects file
[0.018s] java.lang.StringBuilder source: shared objects file
[0.018s] jdk.internal.misc.UnsafeConstants source: shared objects file
[0.018s] jdk.internal.misc.Unsafe source: shared objects file
[0.018s] jdk.internal.module.Modules source: shared objects file
[0.018s] java.lang.AutoCloseable source: shared objects file
[0.018s] java.io.Closeable source: shared objects file
[0.018s] java.io.InputStream source: shared objects file
[0.018s] java.io.ByteArrayInputStream source: shared objects file
[0.018s] java.net.URL source: shared objects file
[0.018s] java.lang.Enum source: shared objects file
[0.018s] java.util.jar.Manifest source: shared objects file
[0.018s] jdk.internal.loader.BuiltinClassLoader source: shared objects file
[0.018s] jdk.internal.loader.ClassLoaders source: shared objects file
[0.018s] jdk.internal.loader.ClassLoaders$AppClassLoader source: shared objects file
[0.018s] jdk.internal.loader.ClassLoaders$PlatformClassLoader source: shared objects file
[0.018s] java.security.CodeSource source: shared objects file
[0.018s] java.util.AbstractMap source: shared objects file
[0.018s] java.util.concurrent.ConcurrentMap source: shared objects file
[0.018s] java.util.concurrent.ConcurrentHashMap source: shared objects file
[0.018s] java.lang.Iterable source: shared objects file
[0.018s] java.util.Collection source: shared objects file
[0.018s] java.util.AbstractCollection source: shared objects file
[0.018s] java.util.SequencedCollection source: shared objects file
[0.018s] java.util.List source: shared objects file
[0.018s] java.util.AbstractList source: shared objects file
[0.018s] java.util.RandomAccess source: shared objects file
[0.018s] java.util.ArrayList source: shared objects file
[0.018s] java.lang.StackTraceElement source: shared objects file
[0.018s] java.nio.Buffer source: shared objects file
[0.018s] java.lang.StackWalker source: shared objects file
[0.018s] java.lang.StackStreamFactory$AbstractStackWalker source: shared objects file
[0.018s] java.lang.StackWalker$StackFrame source: shared objects file
[0.018s] java.lang.ClassFrameInfo source: shared objects file
[0.018s] java.lang.StackFrameInfo source: shared objects file
[0.018s] java.lang.LiveStackFrame source: shared objects file
[0.018s] java.lang.LiveStackFrameInfo source: shared objects file
[0.018s] java.util.concurrent.locks.AbstractOwnableSynchronizer source: shared objects file
[0.018s] java.lang.Boolean source: shared objects file
[0.018s] java.lang.Character source: shared objects file
[0.018s] java.lang.Number source: shared objects file
[0.018s] java.lang.Float source: shared objects file
[0.018s] java.lang.Double source: shared objects file
[0.018s] java.lang.Byte source: shared objects file
[0.018s] java.lang.Short source: shared objects file
[0.018s] java.lang.Integer source: shared objects file
[0.018s] java.lang.Long source: shared objects file
[0.018s] java.lang.Void source: shared objects file
[0.018s] java.util.Iterator source: shared objects file
[0.018s] java.lang.reflect.RecordComponent source: shared objects file
[0.018s] jdk.internal.vm.vector.VectorSupport source: shared objects file
[0.018s] jdk.internal.vm.vector.VectorSupport$VectorPayload source: shared objects file
[0.018s] jdk.internal.vm.vector.VectorSupport$Vector source: shared objects file
[0.018s] jdk.internal.vm.vector.VectorSupport$VectorMask source: shared objects file
[0.018s] jdk.internal.vm.vector.VectorSupport$VectorShuffle source: shared objects file
[0.018s] jdk.internal.vm.FillerObject source: shared objects file
[0.018s] java.lang.Integer$IntegerCache source: shared objects file
[0.018s] java.lang.Long$LongCache source: shared objects file
[0.018s] java.lang.Byte$ByteCache source: shared objects file
[0.018s] java.lang.Short$ShortCache source: shared objects file
[0.018s] java.lang.Character$CharacterCache source: shared objects file
[0.018s] java.util.jar.Attributes$Name source: shared objects file
[0.018s] java.util.ImmutableCollections$AbstractImmutableMap source: shared objects file
[0.018s] java.util.ImmutableCollections$MapN source: shared objects file
[0.018s] sun.util.locale.BaseLocale source: shared objects file
[0.018s] jdk.internal.module.ArchivedModuleGraph source: shared objects file
[0.018s] java.lang.module.ModuleFinder source: shared objects file
[0.018s] jdk.internal.module.SystemModuleFinders$SystemModuleFinder source: shared objects file
[0.018s] java.util.ImmutableCollections$AbstractImmutableCollection source: shared objects file
[0.018s] java.util.Set source: shared objects file
[0.018s] java.util.ImmutableCollections$AbstractImmutableSet source: shared objects file
[0.018s] java.util.ImmutableCollections$SetN source: shared objects file
[0.018s] java.lang.module.ModuleReference source: shared objects file
[0.018s] jdk.internal.module.ModuleReferenceImpl source: shared objects file
[0.018s] java.lang.module.ModuleDescriptor source: shared objects file
[0.018s] java.lang.module.ModuleDescriptor$Version source: shared objects file
[0.018s] java.util.ImmutableCollections$Set12 source: shared objects file
[0.018s] java.lang.module.ModuleDescriptor$Requires source: shared objects file
[0.018s] java.lang.module.ModuleDescriptor$Requires$Modifier source: shared objects file
[0.018s] java.lang.module.ModuleDescriptor$Exports source: shared objects file
[0.018s] java.lang.module.ModuleDescriptor$Provides source: shared objects file
[0.019s] java.util.ImmutableCollections$AbstractImmutableList source: shared objects file
[0.019s] java.util.ImmutableCollections$List12 source: shared objects file
[0.019s] java.net.URI source: shared objects file
[0.019s] java.util.function.Supplier source: shared objects file
[0.019s] jdk.internal.module.SystemModuleFinders$1 source: shared objects file
[0.019s] jdk.internal.module.ModuleHashes$HashSupplier source: shared objects file
[0.019s] jdk.internal.module.SystemModuleFinders$2 source: shared objects file
[0.019s] java.lang.module.ModuleDescriptor$Opens source: shared objects file
[0.019s] java.util.ImmutableCollections$ListN source: shared objects file
[0.019s] jdk.internal.module.ModuleTarget source: shared objects file
[0.019s] jdk.internal.module.ModuleHashes source: shared objects file
[0.019s] java.util.Collections$UnmodifiableMap source: shared objects file
[0.019s] java.util.HashMap source: shared objects file
[0.019s] java.util.Map$Entry source: shared objects file
[0.019s] java.util.HashMap$Node source: shared objects file
[0.019s] java.lang.module.Configuration source: shared objects file
[0.019s] java.lang.module.ResolvedModule source: shared objects file
[0.019s] java.util.function.Function source: shared objects file
[0.019s] jdk.internal.module.ModuleLoaderMap$Mapper source: shared objects file
[0.019s] java.util.ImmutableCollections source: shared objects file
[0.019s] java.lang.ModuleLayer source: shared objects file
[0.019s] jdk.internal.math.FDBigInteger source: shared objects file
[0.019s] jdk.internal.loader.ArchivedClassLoaders source: shared objects file
[0.019s] jdk.internal.loader.ClassLoaders$BootClassLoader source: shared objects file
[0.019s] java.security.Principal source: shared objects file
[0.019s] jdk.internal.loader.NativeLibraries source: shared objects file
[0.019s] java.util.concurrent.ConcurrentHashMap$Node source: shared objects file
[0.019s] jdk.internal.module.ServicesCatalog source: shared objects file
[0.019s] java.util.concurrent.CopyOnWriteArrayList source: shared objects file
[0.019s] jdk.internal.module.ServicesCatalog$ServiceProvider source: shared objects file
[0.019s] java.util.AbstractSet source: shared objects file
[0.019s] java.util.HashSet source: shared objects file
[0.019s] jdk.internal.loader.BuiltinClassLoader$LoadedModule source: shared objects file
[0.019s] jdk.internal.module.ArchivedBootLayer source: shared objects file
[0.019s] java.lang.Module$ArchivedData source: shared objects file
[0.022s] java.io.ObjectStreamField source: shared objects file
[0.022s] java.util.Comparator source: shared objects file
[0.022s] java.lang.String$CaseInsensitiveComparator source: shared objects file
[0.023s] jdk.internal.misc.VM source: shared objects file
[0.023s] jdk.internal.misc.CDS source: shared objects file
[0.023s] jdk.internal.access.JavaLangReflectAccess source: shared objects file
[0.023s] java.lang.reflect.ReflectAccess source: shared objects file
[0.023s] jdk.internal.access.SharedSecrets source: shared objects file
[0.023s] jdk.internal.reflect.ReflectionFactory source: shared objects file
[0.023s] java.io.ObjectStreamClass source: shared objects file
[0.023s] java.lang.Math source: shared objects file
[0.023s] jdk.internal.reflect.ReflectionFactory$Config source: shared objects file
[0.023s] jdk.internal.access.JavaLangRefAccess source: shared objects file
[0.023s] java.lang.ref.Reference$1 source: shared objects file
[0.023s] java.lang.ref.ReferenceQueue source: shared objects file
[0.023s] java.lang.ref.ReferenceQueue$Null source: shared objects file
[0.023s] java.lang.ref.ReferenceQueue$Lock source: shared objects file
[0.023s] jdk.internal.access.JavaLangAccess source: shared objects file
[0.023s] java.lang.System$1 source: shared objects file
[0.023s] jdk.internal.util.SystemProps source: shared objects file
[0.023s] jdk.internal.util.SystemProps$Raw source: shared objects file
[0.023s] java.nio.charset.Charset source: shared objects file
[0.023s] java.nio.charset.spi.CharsetProvider source: shared objects file
[0.023s] sun.nio.cs.StandardCharsets source: shared objects file
[0.023s] java.lang.StringLatin1 source: shared objects file
[0.024s] sun.nio.cs.HistoricallyNamedCharset source: shared objects file
[0.024s] sun.nio.cs.Unicode source: shared objects file
[0.024s] sun.nio.cs.UTF_8 source: shared objects file
[0.024s] java.lang.StrictMath source: shared objects file
[0.024s] jdk.internal.util.ArraysSupport source: shared objects file
[0.024s] java.util.LinkedHashMap$Entry source: shared objects file
[0.024s] java.util.HashMap$TreeNode source: shared objects file
[0.024s] java.lang.StringConcatHelper source: shared objects file
[0.024s] java.lang.VersionProps source: shared objects file
[0.024s] java.lang.Runtime source: shared objects file
[0.024s] java.util.concurrent.locks.Lock source: shared objects file
[0.024s] java.util.concurrent.locks.ReentrantLock source: shared objects file
[0.024s] java.util.concurrent.ConcurrentHashMap$Segment source: shared objects file
[0.024s] java.util.concurrent.ConcurrentHashMap$CounterCell source: shared objects file
[0.024s] java.util.concurrent.locks.LockSupport source: shared objects file
[0.024s] java.util.concurrent.ConcurrentHashMap$ReservationNode source: shared objects file
[0.024s] java.util.HashMap$EntrySet source: shared objects file
[0.024s] java.util.Objects source: shared objects file
[0.024s] java.util.HashMap$HashIterator source: shared objects file
[0.024s] java.util.HashMap$EntryIterator source: shared objects file
[0.024s] jdk.internal.util.StaticProperty source: shared objects file
[0.024s] java.io.FileInputStream source: shared objects file
[0.024s] java.lang.System$In source: shared objects file
[0.024s] java.io.FileDescriptor source: shared objects file
[0.024s] jdk.internal.access.JavaIOFileDescriptorAccess source: shared objects file
[0.024s] java.io.FileDescriptor$1 source: shared objects file
[0.024s] java.io.Flushable source: shared objects file
[0.024s] java.io.OutputStream source: shared objects file
[0.024s] java.io.FileOutputStream source: shared objects file
[0.024s] java.lang.System$Out source: shared objects file
[0.024s] java.io.FilterInputStream source: shared objects file
[0.024s] java.io.BufferedInputStream source: shared objects file
[0.024s] java.io.FilterOutputStream source: shared objects file
[0.024s] java.io.PrintStream source: shared objects file
[0.024s] java.io.BufferedOutputStream source: shared objects file
[0.024s] java.io.Writer source: shared objects file
[0.024s] java.io.OutputStreamWriter source: shared objects file
[0.024s] sun.nio.cs.StreamEncoder source: shared objects file
[0.024s] java.nio.charset.CharsetEncoder source: shared objects file
[0.024s] sun.nio.cs.UTF_8$Encoder source: shared objects file
[0.024s] java.nio.charset.CodingErrorAction source: shared objects file
[0.025s] java.util.Arrays source: shared objects file
[0.025s] java.nio.ByteBuffer source: shared objects file
[0.025s] jdk.internal.misc.ScopedMemoryAccess source: shared objects file
[0.025s] java.nio.Buffer$1 source: shared objects file
[0.025s] jdk.internal.util.Preconditions source: shared objects file
[0.025s] jdk.internal.util.Preconditions$1 source: shared objects file
[0.025s] java.util.function.BiFunction source: shared objects file
[0.025s] jdk.internal.util.Preconditions$4 source: shared objects file
[0.025s] jdk.internal.util.Preconditions$2 source: shared objects file
[0.025s] jdk.internal.util.Preconditions$3 source: shared objects file
[0.025s] jdk.internal.access.JavaNioAccess source: shared objects file
[0.025s] java.nio.Buffer$2 source: shared objects file
[0.025s] java.nio.HeapByteBuffer source: shared objects file
[0.025s] java.nio.ByteOrder source: shared objects file
[0.025s] java.io.BufferedWriter source: shared objects file
[0.025s] java.lang.Terminator source: shared objects file
[0.025s] jdk.internal.misc.Signal$Handler source: shared objects file
[0.025s] java.lang.Terminator$1 source: shared objects file
[0.025s] jdk.internal.misc.Signal source: shared objects file
[0.025s] java.util.Hashtable$Entry source: shared objects file
[0.025s] jdk.internal.misc.Signal$NativeHandler source: shared objects file
[0.025s] jdk.internal.misc.OSEnvironment source: shared objects file
[0.025s] java.lang.Thread$State source: shared objects file
[0.025s] java.lang.ref.Reference$ReferenceHandler source: shared objects file
[0.025s] java.lang.Thread$ThreadIdentifiers source: shared objects file
[0.026s] jdk.internal.ref.Cleaner source: shared objects file
[0.028s] java.lang.ref.Finalizer$FinalizerThread source: shared objects file
[0.029s] java.util.Collections source: shared objects file
[0.029s] java.util.Collections$EmptySet source: shared objects file
[0.029s] java.util.Collections$EmptyList source: shared objects file
[0.029s] java.util.Collections$EmptyMap source: shared objects file
[0.029s] java.lang.NullPointerException source: shared objects file
[0.029s] java.lang.ArithmeticException source: shared objects file
[0.029s] java.lang.IndexOutOfBoundsException source: shared objects file
[0.029s] java.lang.ArrayIndexOutOfBoundsException source: shared objects file
[0.029s] java.lang.IllegalArgumentException source: shared objects file
[0.033s] java.lang.invoke.MethodHandleStatics source: shared objects file
[0.033s] java.lang.reflect.ClassFileFormatVersion source: shared objects file
[0.033s] java.lang.CharacterData source: shared objects file
[0.033s] java.lang.CharacterDataLatin1 source: shared objects file
[0.033s] jdk.internal.util.ClassFileDumper source: shared objects file
[0.033s] java.util.HexFormat source: shared objects file
[0.034s] java.util.concurrent.atomic.AtomicInteger source: shared objects file
[0.034s] jdk.internal.module.ModuleBootstrap source: shared objects file
[0.034s] java.lang.invoke.MethodHandles source: shared objects file
[0.034s] java.lang.invoke.MemberName$Factory source: shared objects file
[0.034s] jdk.internal.reflect.Reflection source: shared objects file
[0.034s] java.lang.invoke.MethodHandles$Lookup source: shared objects file
[0.034s] java.util.ImmutableCollections$MapN$1 source: shared objects file
[0.034s] java.util.ImmutableCollections$MapN$MapNIterator source: shared objects file
[0.034s] java.util.KeyValueHolder source: shared objects file
[0.034s] sun.invoke.util.VerifyAccess source: shared objects file
[0.034s] java.lang.reflect.Modifier source: shared objects file
[0.034s] jdk.internal.access.JavaLangModuleAccess source: shared objects file
[0.034s] java.lang.module.ModuleDescriptor$1 source: shared objects file
[0.034s] java.io.File source: shared objects file
[0.034s] java.io.DefaultFileSystem source: shared objects file
[0.034s] java.io.FileSystem source: shared objects file
[0.034s] java.io.UnixFileSystem source: shared objects file
[0.034s] jdk.internal.util.DecimalDigits source: shared objects file
[0.034s] jdk.internal.module.ModulePatcher source: shared objects file
[0.034s] jdk.internal.module.ModuleBootstrap$IllegalNativeAccess source: shared objects file
[0.034s] jdk.internal.module.ModuleLoaderMap source: shared objects file
[0.034s] jdk.internal.module.ModuleLoaderMap$Modules source: shared objects file
[0.034s] jdk.internal.module.ModuleBootstrap$Counters source: shared objects file
[0.034s] jdk.internal.loader.AbstractClassLoaderValue source: shared objects file
[0.034s] jdk.internal.loader.ClassLoaderValue source: shared objects file
[0.034s] jdk.internal.access.JavaNetUriAccess source: shared objects file
[0.034s] java.net.URI$1 source: shared objects file
[0.034s] java.security.cert.Certificate source: shared objects file
[0.034s] java.lang.ClassLoader$ParallelLoaders source: shared objects file
[0.034s] java.util.WeakHashMap source: shared objects file
[0.034s] java.util.WeakHashMap$Entry source: shared objects file
[0.034s] java.util.Collections$SetFromMap source: shared objects file
[0.035s] java.util.WeakHashMap$KeySet source: shared objects file
[0.035s] jdk.internal.loader.ClassLoaderHelper source: shared objects file
[0.035s] java.util.concurrent.ConcurrentHashMap$CollectionView source: shared objects file
[0.035s] java.util.concurrent.ConcurrentHashMap$KeySetView source: shared objects file
[0.035s] jdk.internal.loader.BootLoader source: shared objects file
[0.035s] java.lang.Module$EnableNativeAccess source: shared objects file
[0.035s] jdk.internal.loader.URLClassPath source: shared objects file
[0.035s] java.net.URLStreamHandlerFactory source: shared objects file
[0.035s] java.net.URL$DefaultFactory source: shared objects file
[0.035s] jdk.internal.access.JavaNetURLAccess source: shared objects file
[0.035s] java.net.URL$1 source: shared objects file
[0.035s] java.io.File$PathStatus source: shared objects file
[0.035s] sun.net.www.ParseUtil source: shared objects file
[0.035s] java.net.URLStreamHandler source: shared objects file
[0.035s] sun.net.www.protocol.file.Handler source: shared objects file
[0.035s] sun.net.util.IPAddressUtil source: shared objects file
[0.035s] sun.net.util.IPAddressUtil$MASKS source: shared objects file
[0.035s] java.util.Queue source: shared objects file
[0.035s] java.util.Deque source: shared objects file
[0.035s] java.util.ArrayDeque source: shared objects file
[0.035s] sun.net.www.protocol.jar.Handler source: shared objects file
[0.036s] jdk.internal.vm.ContinuationSupport source: shared objects file
[0.036s] jdk.internal.vm.Continuation$Pinned source: shared objects file
[0.036s] sun.launcher.LauncherHelper source: shared objects file
[0.036s] java.lang.StringCoding source: shared objects file
[0.036s] java.util.zip.ZipConstants source: shared objects file
[0.036s] java.util.zip.ZipFile source: shared objects file
[0.036s] java.util.jar.JarFile source: shared objects file
[0.036s] java.util.BitSet source: shared objects file
[0.036s] jdk.internal.access.JavaUtilZipFileAccess source: shared objects file
[0.036s] java.util.zip.ZipFile$1 source: shared objects file
[0.036s] jdk.internal.access.JavaUtilJarAccess source: shared objects file
[0.036s] java.util.jar.JavaUtilJarAccessImpl source: shared objects file
[0.036s] java.lang.Runtime$Version source: shared objects file
[0.036s] java.util.Optional source: shared objects file
[0.036s] java.util.zip.ZipCoder source: shared objects file
[0.036s] java.util.zip.ZipCoder$UTF8ZipCoder source: shared objects file
[0.036s] java.util.zip.ZipFile$CleanableResource source: shared objects file
[0.036s] jdk.internal.ref.CleanerFactory source: shared objects file
[0.036s] java.util.concurrent.ThreadFactory source: shared objects file
[0.036s] jdk.internal.ref.CleanerFactory$1 source: shared objects file
[0.036s] java.lang.ref.Cleaner source: shared objects file
[0.036s] java.lang.ref.Cleaner$1 source: shared objects file
[0.036s] jdk.internal.ref.CleanerImpl source: shared objects file
[0.036s] jdk.internal.ref.CleanerImpl$CleanableList source: shared objects file
[0.036s] jdk.internal.ref.CleanerImpl$CleanableList$Node source: shared objects file
[0.036s] java.lang.ref.Cleaner$Cleanable source: shared objects file
[0.036s] jdk.internal.ref.PhantomCleanable source: shared objects file
[0.037s] jdk.internal.ref.CleanerImpl$CleanerCleanable source: shared objects file
[0.037s] jdk.internal.misc.InnocuousThread source: shared objects file
[0.037s] jdk.internal.ref.CleanerImpl$PhantomCleanableRef source: shared objects file
[0.037s] java.util.zip.ZipFile$Source source: shared objects file
[0.037s] sun.nio.fs.DefaultFileSystemProvider source: shared objects file
[0.037s] java.nio.file.spi.FileSystemProvider source: shared objects file
[0.037s] sun.nio.fs.AbstractFileSystemProvider source: shared objects file
[0.037s] sun.nio.fs.UnixFileSystemProvider source: shared objects file
[0.037s] sun.nio.fs.LinuxFileSystemProvider source: shared objects file
[0.037s] java.nio.file.OpenOption source: shared objects file
[0.037s] java.nio.file.StandardOpenOption source: shared objects file
[0.037s] java.nio.file.FileSystem source: shared objects file
[0.037s] sun.nio.fs.UnixFileSystem source: shared objects file
[0.037s] sun.nio.fs.LinuxFileSystem source: shared objects file
[0.037s] java.nio.file.Watchable source: shared objects file
[0.037s] java.nio.file.Path source: shared objects file
[0.037s] sun.nio.fs.UnixPath source: shared objects file
[0.037s] sun.nio.fs.Util source: shared objects file
[0.037s] sun.nio.fs.UnixNativeDispatcher source: shared objects file
[0.037s] jdk.internal.loader.NativeLibraries$LibraryPaths source: shared objects file
[0.037s] jdk.internal.loader.NativeLibraries$1 source: shared objects file
[0.037s] jdk.internal.loader.NativeLibraries$CountedLock source: shared objects file
[0.037s] java.util.concurrent.locks.AbstractQueuedSynchronizer source: shared objects file
[0.037s] java.util.concurrent.locks.ReentrantLock$Sync source: shared objects file
[0.037s] java.util.concurrent.locks.ReentrantLock$NonfairSync source: shared objects file
[0.037s] jdk.internal.loader.NativeLibraries$NativeLibraryContext source: shared objects file
[0.037s] jdk.internal.loader.NativeLibraries$NativeLibraryContext$1 source: shared objects file
[0.037s] java.util.ArrayDeque$DeqIterator source: shared objects file
[0.037s] jdk.internal.loader.NativeLibrary source: shared objects file
[0.037s] jdk.internal.loader.NativeLibraries$NativeLibraryImpl source: shared objects file
[0.038s] jdk.internal.loader.NativeLibraries$2 source: shared objects file
[0.038s] java.util.concurrent.ConcurrentHashMap$ValuesView source: shared objects file
[0.038s] java.util.concurrent.ConcurrentHashMap$Traverser source: shared objects file
[0.038s] java.util.concurrent.ConcurrentHashMap$BaseIterator source: shared objects file
[0.038s] java.util.Enumeration source: shared objects file
[0.038s] java.util.concurrent.ConcurrentHashMap$ValueIterator source: shared objects file
[0.038s] java.nio.file.attribute.BasicFileAttributes source: shared objects file
[0.038s] java.nio.file.attribute.PosixFileAttributes source: shared objects file
[0.038s] sun.nio.fs.UnixFileAttributes source: shared objects file
[0.038s] sun.nio.fs.UnixFileStoreAttributes source: shared objects file
[0.038s] sun.nio.fs.UnixMountEntry source: shared objects file
[0.038s] java.util.zip.ZipFile$Source$Key source: shared objects file
[0.038s] java.nio.file.CopyOption source: shared objects file
[0.038s] java.nio.file.LinkOption source: shared objects file
[0.038s] java.nio.file.Files source: shared objects file
[0.038s] java.nio.file.attribute.DosFileAttributes source: shared objects file
[0.038s] java.nio.file.attribute.AttributeView source: shared objects file
[0.038s] java.nio.file.attribute.FileAttributeView source: shared objects file
[0.038s] java.nio.file.attribute.BasicFileAttributeView source: shared objects file
[0.038s] java.nio.file.attribute.DosFileAttributeView source: shared objects file
[0.038s] java.nio.file.attribute.UserDefinedFileAttributeView source: shared objects file
[0.038s] sun.nio.fs.UnixFileAttributeViews source: shared objects file
[0.038s] sun.nio.fs.DynamicFileAttributeView source: shared objects file
[0.038s] sun.nio.fs.AbstractBasicFileAttributeView source: shared objects file
[0.038s] sun.nio.fs.UnixFileAttributeViews$Basic source: shared objects file
[0.038s] sun.nio.fs.NativeBuffers source: shared objects file
[0.038s] java.lang.ThreadLocal source: shared objects file
[0.038s] jdk.internal.misc.CarrierThreadLocal source: shared objects file
[0.038s] jdk.internal.misc.TerminatingThreadLocal source: shared objects file
[0.038s] sun.nio.fs.NativeBuffers$1 source: shared objects file
[0.038s] jdk.internal.misc.TerminatingThreadLocal$1 source: shared objects file
[0.038s] java.lang.ThreadLocal$ThreadLocalMap source: shared objects file
[0.038s] java.lang.ThreadLocal$ThreadLocalMap$Entry source: shared objects file
[0.038s] java.util.IdentityHashMap source: shared objects file
[0.038s] java.util.IdentityHashMap$KeySet source: shared objects file
[0.038s] sun.nio.fs.NativeBuffer source: shared objects file
[0.038s] sun.nio.fs.NativeBuffer$Deallocator source: shared objects file
[0.038s] sun.nio.fs.UnixFileAttributes$UnixAsBasicFileAttributes source: shared objects file
[0.038s] java.io.DataOutput source: shared objects file
[0.038s] java.io.DataInput source: shared objects file
[0.038s] java.io.RandomAccessFile source: shared objects file
[0.038s] jdk.internal.access.JavaIORandomAccessFileAccess source: shared objects file
[0.038s] java.io.RandomAccessFile$2 source: shared objects file
[0.038s] java.io.FileCleanable source: shared objects file
[0.038s] java.util.zip.ZipFile$Source$End source: shared objects file
[0.038s] java.util.zip.ZipUtils source: shared objects file
[0.044s] java.util.concurrent.TimeUnit source: shared objects file
[0.044s] java.nio.file.attribute.FileTime source: shared objects file
[0.044s] sun.nio.fs.UnixFileKey source: shared objects file
[0.044s] jdk.internal.perf.PerfCounter source: shared objects file
[0.044s] jdk.internal.perf.Perf source: shared objects file
[0.044s] jdk.internal.perf.PerfCounter$CoreCounters source: shared objects file
[0.044s] sun.nio.ch.DirectBuffer source: shared objects file
[0.044s] java.nio.MappedByteBuffer source: shared objects file
[0.044s] java.nio.DirectByteBuffer source: shared objects file
[0.044s] java.nio.Bits source: shared objects file
[0.044s] java.util.concurrent.atomic.AtomicLong source: shared objects file
[0.044s] jdk.internal.misc.VM$BufferPool source: shared objects file
[0.044s] java.nio.Bits$1 source: shared objects file
[0.044s] java.nio.LongBuffer source: shared objects file
[0.044s] java.nio.DirectLongBufferU source: shared objects file
[0.045s] java.util.zip.ZipFile$EntryPos source: shared objects file
[0.045s] java.util.zip.ZipEntry source: shared objects file
[0.045s] java.util.jar.JarEntry source: shared objects file
[0.045s] java.util.jar.JarFile$JarFileEntry source: shared objects file
[0.045s] java.util.zip.ZipFile$ZipFileInputStream source: shared objects file
[0.045s] sun.security.util.SignatureFileVerifier source: shared objects file
[0.045s] sun.security.util.Debug source: shared objects file
[0.045s] java.util.Locale source: shared objects file
[0.045s] sun.util.locale.LocaleUtils source: shared objects file
[0.045s] java.util.jar.JarVerifier source: shared objects file
[0.045s] java.io.ByteArrayOutputStream source: shared objects file
[0.045s] java.util.jar.Attributes source: shared objects file
[0.045s] java.util.SequencedMap source: shared objects file
[0.045s] java.util.LinkedHashMap source: shared objects file
[0.045s] java.util.jar.Manifest$FastInputStream source: shared objects file
[0.045s] sun.net.util.URLUtil source: shared objects file
[0.045s] jdk.internal.loader.URLClassPath$Loader source: shared objects file
[0.045s] jdk.internal.loader.URLClassPath$JarLoader source: shared objects file
[0.045s] jdk.internal.loader.FileURLMapper source: shared objects file
[0.046s] jdk.internal.loader.Resource source: shared objects file
[0.046s] jdk.internal.loader.URLClassPath$JarLoader$1 source: shared objects file
[0.046s] java.lang.NamedPackage source: shared objects file
[0.046s] java.lang.Package source: shared objects file
[0.046s] java.lang.Package$VersionInfo source: shared objects file
[0.046s] sun.nio.ByteBuffered source: shared objects file
[0.046s] java.util.zip.Checksum source: shared objects file
[0.046s] java.util.zip.CRC32 source: shared objects file
[0.046s] java.util.zip.Checksum$1 source: shared objects file
[0.046s] java.security.SecureClassLoader$CodeSourceKey source: shared objects file
[0.046s] java.security.SecureClassLoader$1 source: shared objects file
[0.046s] java.security.PermissionCollection source: shared objects file
[0.046s] java.security.Permissions source: shared objects file
[0.053s] dev.peregrine.cli.Main source: file:/tmp/w/start-m/s6.jar
[0.053s] jdk.internal.misc.MethodFinder source: shared objects file
[0.053s] java.lang.Class$ReflectionData source: shared objects file
[0.053s] java.lang.Class$Atomic source: shared objects file
[0.053s] java.io.UncheckedIOException source: jrt:/java.base
[0.054s] java.lang.UnsupportedOperationException source: jrt:/java.base
[0.054s] dev.peregrine.server.observe.ExchangeListener source: file:/tmp/w/start-m/s6.jar
[0.055s] dev.peregrine.server.config.ServerPart source: file:/tmp/w/start-m/s6.jar
[0.055s] java.util.function.BiConsumer source: shared objects file
[0.055s] java.util.concurrent.ConcurrentHashMap$ForwardingNode source: shared objects file
[0.055s] dev.peregrine.http.Handler source: file:/tmp/w/start-m/s6.jar
[0.055s] java.lang.PublicMethods$MethodList source: shared objects file
[0.055s] java.lang.PublicMethods$Key source: shared objects file
[0.056s] java.lang.ProcessEnvironment source: jrt:/java.base
[0.056s] java.lang.ProcessEnvironment$ExternalData source: jrt:/java.base
[0.056s] java.lang.ProcessEnvironment$Variable source: jrt:/java.base
[0.056s] java.lang.Process source: jrt:/java.base
[0.056s] java.lang.ProcessImpl source: jrt:/java.base
[0.056s] java.lang.ProcessImpl$LaunchMechanism source: jrt:/java.base
[0.056s] java.lang.ProcessEnvironment$Value source: jrt:/java.base
[0.056s] java.lang.ProcessEnvironment$StringEnvironment source: jrt:/java.base
[0.056s] dev.peregrine.cli.options.Invocation source: file:/tmp/w/start-m/s6.jar
[0.057s] dev.peregrine.cli.options.QuickLine source: file:/tmp/w/start-m/s6.jar
[0.057s] dev.peregrine.cli.options.Command source: file:/tmp/w/start-m/s6.jar
[0.057s] dev.peregrine.cli.options.Settings source: file:/tmp/w/start-m/s6.jar
[0.058s] dev.peregrine.cli.options.Option source: file:/tmp/w/start-m/s6.jar
[0.058s] dev.peregrine.cli.options.Option$Group source: file:/tmp/w/start-m/s6.jar
[0.058s] java.util.EnumSet source: shared objects file
[0.058s] jdk.internal.reflect.MethodHandleAccessorFactory source: shared objects file
[0.058s] java.lang.invoke.MethodType$1 source: shared objects file
[0.058s] jdk.internal.util.ReferencedKeySet source: shared objects file
[0.058s] jdk.internal.util.ReferencedKeyMap source: shared objects file
[0.058s] jdk.internal.util.ReferenceKey source: shared objects file
[0.058s] jdk.internal.util.StrongReferenceKey source: shared objects file
[0.058s] java.lang.invoke.MethodTypeForm source: shared objects file
[0.058s] jdk.internal.util.WeakReferenceKey source: shared objects file
[0.058s] jdk.internal.reflect.MethodHandleAccessorFactory$LazyStaticHolder source: shared objects file
[0.058s] java.lang.invoke.LambdaForm$NamedFunction source: shared objects file
[0.058s] jdk.internal.access.JavaLangInvokeAccess source: shared objects file
[0.058s] java.lang.invoke.MethodHandleImpl$1 source: shared objects file
[0.059s] java.lang.NoSuchMethodException source: shared objects file
[0.060s] sun.invoke.util.Wrapper source: shared objects file
[0.060s] sun.invoke.util.Wrapper$Format source: shared objects file
[0.060s] java.lang.constant.ConstantDescs source: shared objects file
[0.060s] java.lang.constant.ClassDesc source: shared objects file
[0.060s] jdk.internal.constant.ClassOrInterfaceDescImpl source: shared objects file
[0.060s] jdk.internal.constant.ArrayClassDescImpl source: shared objects file
[0.060s] jdk.internal.constant.ConstantUtils source: shared objects file
[0.060s] java.lang.constant.DirectMethodHandleDesc$Kind source: shared objects file
[0.060s] java.lang.constant.MethodTypeDesc source: shared objects file
[0.060s] jdk.internal.constant.MethodTypeDescImpl source: shared objects file
[0.060s] java.lang.constant.MethodHandleDesc source: shared objects file
[0.060s] java.lang.constant.MethodHandleDesc$1 source: shared objects file
[0.060s] java.lang.constant.DirectMethodHandleDesc source: shared objects file
[0.060s] jdk.internal.constant.DirectMethodHandleDescImpl source: shared objects file
[0.060s] jdk.internal.constant.DirectMethodHandleDescImpl$1 source: shared objects file
[0.060s] java.lang.constant.DynamicConstantDesc source: shared objects file
[0.060s] jdk.internal.constant.PrimitiveClassDescImpl source: shared objects file
[0.060s] java.lang.constant.DynamicConstantDesc$AnonymousDynamicConstantDesc source: shared objects file
[0.060s] java.lang.invoke.DirectMethodHandle$Holder source: shared objects file
[0.061s] sun.invoke.util.ValueConversions source: shared objects file
[0.061s] java.lang.invoke.Invokers source: shared objects file
[0.061s] java.lang.invoke.LambdaForm$Kind source: shared objects file
[0.061s] java.lang.invoke.LambdaForm$BasicType source: shared objects file
[0.061s] java.lang.classfile.TypeKind source: shared objects file
[0.061s] java.lang.reflect.Array source: shared objects file
[0.061s] java.lang.invoke.LambdaForm$Name source: shared objects file
[0.061s] java.lang.invoke.LambdaForm$Holder source: shared objects file
[0.061s] java.lang.invoke.InvokerBytecodeGenerator source: shared objects file
[0.061s] java.lang.classfile.AnnotationElement source: shared objects file
[0.061s] java.lang.classfile.Annotation source: shared objects file
[0.061s] java.lang.classfile.constantpool.ConstantPool source: shared objects file
[0.061s] java.lang.classfile.constantpool.ConstantPoolBuilder source: shared objects file
[0.061s] jdk.internal.classfile.impl.TemporaryConstantPool source: shared objects file
[0.061s] jdk.internal.classfile.impl.AbstractPoolEntry source: shared objects file
[0.061s] java.lang.classfile.constantpool.PoolEntry source: shared objects file
[0.061s] java.lang.classfile.constantpool.AnnotationConstantValueEntry source: shared objects file
[0.061s] java.lang.classfile.constantpool.Utf8Entry source: shared objects file
[0.061s] jdk.internal.classfile.impl.AbstractPoolEntry$Utf8EntryImpl source: shared objects file
[0.061s] jdk.internal.classfile.impl.AbstractPoolEntry$Utf8EntryImpl$State source: shared objects file
[0.061s] jdk.internal.classfile.impl.AnnotationImpl source: shared objects file
[0.061s] java.lang.classfile.ClassFileElement source: shared objects file
[0.061s] java.lang.classfile.Attribute source: shared objects file
[0.061s] java.lang.classfile.ClassElement source: shared objects file
[0.061s] java.lang.classfile.MethodElement source: shared objects file
[0.061s] java.lang.classfile.FieldElement source: shared objects file
[0.061s] java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute source: shared objects file
[0.061s] jdk.internal.classfile.impl.AbstractElement source: shared objects file
[0.061s] jdk.internal.classfile.impl.Util$Writable source: shared objects file
[0.061s] jdk.internal.classfile.impl.UnboundAttribute source: shared objects file
[0.061s] jdk.internal.classfile.impl.UnboundAttribute$UnboundRuntimeVisibleAnnotationsAttribute source: shared objects file
[0.061s] java.lang.classfile.Attributes source: shared objects file
[0.061s] java.lang.classfile.AttributeMapper source: shared objects file
[0.061s] jdk.internal.classfile.impl.AbstractAttributeMapper source: shared objects file
[0.061s] jdk.internal.classfile.impl.AbstractAttributeMapper$RuntimeVisibleAnnotationsMapper source: shared objects file
[0.061s] java.lang.classfile.AttributeMapper$AttributeStability source: shared objects file
[0.061s] java.lang.invoke.InvokerBytecodeGenerator$8 source: shared objects file
[0.061s] java.lang.invoke.MethodHandleImpl$Intrinsic source: shared objects file
[0.061s] java.lang.invoke.BoundMethodHandle source: shared objects file
[0.062s] java.lang.invoke.ClassSpecializer source: shared objects file
[0.062s] java.lang.invoke.BoundMethodHandle$Specializer source: shared objects file
[0.062s] jdk.internal.vm.annotation.Stable source: shared objects file
[0.062s] java.lang.invoke.ClassSpecializer$1 source: shared objects file
[0.062s] java.lang.invoke.ClassSpecializer$SpeciesData source: shared objects file
[0.062s] java.lang.invoke.BoundMethodHandle$SpeciesData source: shared objects file
[0.062s] java.lang.invoke.ClassSpecializer$Factory source: shared objects file
[0.062s] java.lang.invoke.BoundMethodHandle$Specializer$Factory source: shared objects file
[0.062s] java.lang.invoke.SimpleMethodHandle source: shared objects file
[0.062s] java.lang.NoSuchFieldException source: shared objects file
[0.062s] java.lang.invoke.BoundMethodHandle$Species_L source: shared objects file
[0.062s] java.lang.invoke.DirectMethodHandle$2 source: shared objects file
[0.062s] java.lang.invoke.DirectMethodHandle$Accessor source: shared objects file
[0.062s] java.lang.invoke.DelegatingMethodHandle source: shared objects file
[0.062s] java.lang.invoke.DelegatingMethodHandle$Holder source: shared objects file
[0.063s] java.lang.invoke.VarHandle$AccessMode source: shared objects file
[0.063s] java.lang.invoke.VarHandle$AccessType source: shared objects file
[0.063s] java.lang.invoke.Invokers$Holder source: shared objects file
[0.063s] java.lang.invoke.LambdaFormEditor source: shared objects file
[0.063s] java.lang.invoke.LambdaFormEditor$TransformKey source: shared objects file
[0.063s] java.lang.invoke.LambdaFormBuffer source: shared objects file
[0.063s] java.lang.invoke.LambdaFormEditor$Transform source: shared objects file
[0.063s] jdk.internal.classfile.impl.SplitConstantPool source: shared objects file
[0.063s] java.lang.classfile.BootstrapMethodEntry source: shared objects file
[0.063s] jdk.internal.classfile.impl.BootstrapMethodEntryImpl source: shared objects file
[0.063s] jdk.internal.classfile.impl.EntryMap source: shared objects file
[0.063s] jdk.internal.classfile.impl.Util source: shared objects file
[0.063s] jdk.internal.classfile.impl.AbstractPoolEntry$AbstractRefEntry source: shared objects file
[0.063s] jdk.internal.classfile.impl.AbstractPoolEntry$AbstractNamedEntry source: shared objects file
[0.063s] java.lang.classfile.constantpool.LoadableConstantEntry source: shared objects file
[0.063s] java.lang.classfile.constantpool.ClassEntry source: shared objects file
[0.063s] jdk.internal.classfile.impl.AbstractPoolEntry$ClassEntryImpl source: shared objects file
[0.063s] java.util.function.Consumer source: shared objects file
[0.063s] java.lang.invoke.InvokerBytecodeGenerator$3 source: shared objects file
[0.063s] java.lang.classfile.ClassFile source: shared objects file
[0.063s] jdk.internal.classfile.impl.ClassFileImpl source: shared objects file
[0.063s] java.lang.invoke.InvokerBytecodeGenerator$1 source: shared objects file
[0.063s] jdk.internal.classfile.impl.AbstractDirectBuilder source: shared objects file
[0.063s] java.lang.classfile.ClassFileBuilder source: shared objects file
[0.063s] java.lang.classfile.ClassBuilder source: shared objects file
[0.063s] jdk.internal.classfile.impl.DirectClassBuilder source: shared objects file
[0.063s] jdk.internal.classfile.impl.AttributeHolder source: shared objects file
[0.063s] java.lang.classfile.Superclass source: shared objects file
[0.063s] jdk.internal.classfile.impl.SuperclassImpl source: shared objects file
[0.063s] java.lang.classfile.attribute.SourceFileAttribute source: shared objects file
[0.063s] jdk.internal.classfile.impl.UnboundAttribute$UnboundSourceFileAttribute source: shared objects file
[0.063s] jdk.internal.classfile.impl.AbstractAttributeMapper$SourceFileMapper source: shared objects file
[0.063s] jdk.internal.classfile.impl.BoundAttribute source: shared objects file
[0.063s] java.lang.invoke.InvokerBytecodeGenerator$4 source: shared objects file
[0.063s] java.lang.classfile.MethodBuilder source: shared objects file
[0.063s] jdk.internal.classfile.impl.MethodInfo source: shared objects file
[0.063s] jdk.internal.classfile.impl.TerminalMethodBuilder source: shared objects file
[0.063s] jdk.internal.classfile.impl.DirectMethodBuilder source: shared objects file
[0.063s] jdk.internal.classfile.impl.AbstractPoolEntry$AbstractRefsEntry source: shared objects file
[0.063s] java.lang.classfile.constantpool.NameAndTypeEntry source: shared objects file
[0.063s] jdk.internal.classfile.impl.AbstractPoolEntry$NameAndTypeEntryImpl source: shared objects file
[0.063s] java.lang.classfile.constantpool.MemberRefEntry source: shared objects file
[0.063s] jdk.internal.classfile.impl.AbstractPoolEntry$AbstractMemberRefEntry source: shared objects file
[0.063s] java.lang.classfile.constantpool.FieldRefEntry source: shared objects file
[0.063s] jdk.internal.classfile.impl.AbstractPoolEntry$FieldRefEntryImpl source: shared objects file
[0.063s] java.lang.invoke.InvokerBytecodeGenerator$ClassData source: shared objects file
[0.063s] java.lang.invoke.InvokerBytecodeGenerator$4$1 source: shared objects file
[0.063s] java.lang.classfile.CodeBuilder source: shared objects file
[0.063s] jdk.internal.classfile.impl.LabelContext source: shared objects file
[0.063s] jdk.internal.classfile.impl.TerminalCodeBuilder source: shared objects file
[0.063s] jdk.internal.classfile.impl.DirectCodeBuilder source: shared objects file
[0.063s] java.lang.classfile.CodeElement source: shared objects file
[0.063s] java.lang.classfile.PseudoInstruction source: shared objects file
[0.063s] java.lang.classfile.instruction.CharacterRange source: shared objects file
[0.063s] java.lang.classfile.instruction.LocalVariable source: shared objects file
[0.063s] java.lang.classfile.instruction.LocalVariableType source: shared objects file
[0.063s] jdk.internal.classfile.impl.DirectCodeBuilder$DeferredLabel source: shared objects file
[0.063s] java.lang.classfile.BufWriter source: shared objects file
[0.064s] jdk.internal.classfile.impl.BufWriterImpl source: shared objects file
[0.064s] java.lang.classfile.Label source: shared objects file
[0.064s] java.lang.classfile.instruction.LabelTarget source: shared objects file
[0.064s] jdk.internal.classfile.impl.LabelImpl source: shared objects file
[0.064s] jdk.internal.classfile.impl.DirectCodeBuilder$8 source: shared objects file
[0.064s] sun.invoke.util.VerifyType source: shared objects file
[0.064s] sun.invoke.empty.Empty source: shared objects file
[0.064s] java.lang.classfile.Opcode source: shared objects file
[0.064s] java.lang.classfile.Opcode$Kind source: shared objects file
[0.064s] java.lang.classfile.constantpool.MethodRefEntry source: shared objects file
[0.064s] jdk.internal.classfile.impl.AbstractPoolEntry$MethodRefEntryImpl source: shared objects file
[0.064s] jdk.internal.classfile.impl.BytecodeHelpers source: shared objects file
[0.064s] jdk.internal.classfile.impl.UnboundAttribute$AdHocAttribute source: shared objects file
[0.064s] jdk.internal.classfile.impl.DirectCodeBuilder$4 source: shared objects file
[0.064s] jdk.internal.classfile.impl.AbstractAttributeMapper$CodeMapper source: shared objects file
[0.064s] java.lang.invoke.InvokerBytecodeGenerator$2 source: shared objects file
[0.064s] jdk.internal.classfile.impl.Util$1WithCodeMethodHandler source: shared objects file
[0.064s] java.lang.classfile.FieldBuilder source: shared objects file
[0.064s] jdk.internal.classfile.impl.TerminalFieldBuilder source: shared objects file
[0.064s] jdk.internal.classfile.impl.DirectFieldBuilder source: shared objects file
[0.064s] java.lang.classfile.CustomAttribute source: shared objects file
[0.064s] jdk.internal.classfile.impl.AnnotationReader source: shared objects file
[0.064s] java.util.ListIterator source: shared objects file
[0.064s] java.util.ImmutableCollections$ListItr source: shared objects file
[0.064s] jdk.internal.classfile.impl.StackMapGenerator source: shared objects file
[0.064s] jdk.internal.classfile.impl.StackMapGenerator$Frame source: shared objects file
[0.064s] jdk.internal.classfile.impl.StackMapGenerator$Type source: shared objects file
[0.064s] jdk.internal.classfile.impl.RawBytecodeHelper source: shared objects file
[0.064s] jdk.internal.classfile.impl.RawBytecodeHelper$1 source: shared objects file
[0.064s] jdk.internal.classfile.impl.RawBytecodeHelper$CodeRange source: shared objects file
[0.065s] jdk.internal.classfile.impl.ClassHierarchyImpl source: shared objects file
[0.065s] java.lang.classfile.ClassHierarchyResolver source: shared objects file
[0.065s] jdk.internal.classfile.impl.ClassHierarchyImpl$ClassLoadingClassHierarchyResolver source: shared objects file
[0.065s] jdk.internal.classfile.impl.ClassHierarchyImpl$ClassLoadingClassHierarchyResolver$1 source: shared objects file
[0.065s] jdk.internal.classfile.impl.ClassHierarchyImpl$CachedClassHierarchyResolver source: shared objects file
[0.065s] java.lang.classfile.ClassHierarchyResolver$1Factory source: shared objects file
[0.065s] java.lang.classfile.ClassHierarchyResolver$ClassHierarchyInfo source: shared objects file
[0.065s] jdk.internal.classfile.impl.ClassHierarchyImpl$ClassHierarchyInfoImpl source: shared objects file
[0.065s] jdk.internal.classfile.impl.ClassHierarchyImpl$CachedClassHierarchyResolver$1 source: shared objects file
[0.065s] java.lang.classfile.ClassReader source: shared objects file
[0.065s] jdk.internal.classfile.impl.ClassReaderImpl source: shared objects file
[0.065s] jdk.internal.util.ModifiedUtf source: shared objects file
[0.065s] java.lang.invoke.MethodHandles$Lookup$ClassDefiner source: shared objects file
[0.065s] java.lang.invoke.LambdaForm$MH/0x0000000048042000 source: __JVM_LookupDefineClass__
[0.065s] jdk.internal.reflect.DirectMethodHandleAccessor source: shared objects file
[0.065s] java.util.RegularEnumSet source: shared objects file
[0.066s] java.util.EnumMap source: shared objects file
[0.066s] java.util.EnumMap$1 source: shared objects file
[0.066s] java.util.SortedMap source: shared objects file
[0.066s] java.util.NavigableMap source: shared objects file
[0.066s] java.util.TreeMap source: shared objects file
[0.067s] dev.peregrine.cli.options.OptionValue source: file:/tmp/w/start-m/s6.jar
[0.067s] java.nio.file.InvalidPathException source: shared objects file
[0.067s] java.lang.NumberFormatException source: jrt:/java.base
[0.067s] java.util.RegularEnumSet$EnumSetIterator source: jrt:/java.base
[0.068s] dev.peregrine.cli.options.Variables source: file:/tmp/w/start-m/s6.jar
[0.068s] java.util.Collections$UnmodifiableCollection source: shared objects file
[0.068s] java.util.Collections$UnmodifiableSet source: shared objects file
[0.068s] java.util.Collections$UnmodifiableMap$UnmodifiableEntrySet source: jrt:/java.base
[0.068s] java.lang.ProcessEnvironment$StringEntrySet source: jrt:/java.base
[0.068s] java.util.Collections$UnmodifiableMap$UnmodifiableEntrySet$1 source: jrt:/java.base
[0.068s] java.lang.ProcessEnvironment$StringEntrySet$1 source: jrt:/java.base
[0.068s] java.util.Collections$UnmodifiableMap$UnmodifiableEntrySet$UnmodifiableEntry source: jrt:/java.base
[0.068s] java.lang.ProcessEnvironment$StringEntry source: jrt:/java.base
[0.068s] java.util.EnumMap$EntrySet source: jrt:/java.base
[0.068s] java.util.EnumMap$EnumMapIterator source: jrt:/java.base
[0.068s] java.util.EnumMap$EntryIterator source: jrt:/java.base
[0.068s] java.util.TreeMap$EntrySet source: shared objects file
[0.068s] java.util.TreeMap$PrivateEntryIterator source: shared objects file
[0.068s] java.util.TreeMap$EntryIterator source: shared objects file
[0.068s] java.util.EnumMap$EntryIterator$Entry source: jrt:/java.base
[0.069s] dev.peregrine.cli.LogSetup source: file:/tmp/w/start-m/s6.jar
[0.070s] dev.peregrine.cli.options.ServerOptions source: file:/tmp/w/start-m/s6.jar
[0.070s] java.time.temporal.TemporalAmount source: shared objects file
[0.070s] java.time.Duration source: shared objects file
[0.070s] java.math.BigInteger source: shared objects file
[0.070s] dev.peregrine.server.TransportKind source: file:/tmp/w/start-m/s6.jar
[0.071s] dev.peregrine.server.config.ServerLimits source: file:/tmp/w/start-m/s6.jar
[0.071s] dev.peregrine.parser.ParserLimits source: file:/tmp/w/start-m/s6.jar
[0.071s] dev.peregrine.server.config.Http2Limits source: file:/tmp/w/start-m/s6.jar
[0.072s] dev.peregrine.base.Range source: file:/tmp/w/start-m/s6.jar
[0.072s] dev.peregrine.server.config.WebSocketLimits source: file:/tmp/w/start-m/s6.jar
[0.072s] dev.peregrine.cli.options.TlsFiles source: file:/tmp/w/start-m/s6.jar
[0.072s] java.io.IOException source: shared objects file
[0.073s] dev.peregrine.cli.options.Addresses source: file:/tmp/w/start-m/s6.jar
[0.073s] dev.peregrine.server.config.EndpointLayer source: file:/tmp/w/start-m/s6.jar
[0.074s] dev.peregrine.server.Endpoint source: file:/tmp/w/start-m/s6.jar
[0.074s] dev.peregrine.server.TcpEndpoint source: file:/tmp/w/start-m/s6.jar
[0.074s] dev.peregrine.server.accept.ProtocolChoice source: file:/tmp/w/start-m/s6.jar
[0.075s] dev.peregrine.server.config.EndpointSource source: file:/tmp/w/start-m/s6.jar
[0.075s] dev.peregrine.server.accept.ListenerSource source: file:/tmp/w/start-m/s6.jar
[0.076s] dev.peregrine.server.accept.TcpSource source: file:/tmp/w/start-m/s6.jar
[0.076s] java.net.SocketException source: jrt:/java.base
[0.076s] java.net.BindException source: jrt:/java.base
[0.076s] dev.peregrine.server.accept.EndpointOptions source: file:/tmp/w/start-m/s6.jar
[0.077s] dev.peregrine.server.accept.EndpointStack source: file:/tmp/w/start-m/s6.jar
[0.077s] dev.peregrine.server.accept.HttpChoice source: file:/tmp/w/start-m/s6.jar
[0.078s] dev.peregrine.server.connection.Protocol source: file:/tmp/w/start-m/s6.jar
[0.079s] java.util.ArrayList$Itr source: shared objects file
[0.080s] dev.peregrine.cli.options.Addresses$Listened source: file:/tmp/w/start-m/s6.jar
[0.080s] dev.peregrine.cli.options.Peers source: file:/tmp/w/start-m/s6.jar
[0.080s] dev.peregrine.Peregrine source: file:/tmp/w/start-m/s6.jar
[0.082s] dev.peregrine.server.start.ServerHandle source: file:/tmp/w/start-m/s6.jar
[0.082s] dev.peregrine.server.HttpServer source: file:/tmp/w/start-m/s6.jar
[0.082s] java.lang.IllegalStateException source: jrt:/java.base
[0.082s] dev.peregrine.server.start.SettingsHandle source: file:/tmp/w/start-m/s6.jar
[0.082s] dev.peregrine.server.HttpServerBuilder source: file:/tmp/w/start-m/s6.jar
[0.084s] dev.peregrine.server.start.ServerSettings$Builder source: file:/tmp/w/start-m/s6.jar
[0.084s] dev.peregrine.http.ErrorRenderer source: file:/tmp/w/start-m/s6.jar
[0.084s] dev.peregrine.http.OwnRenderer source: file:/tmp/w/start-m/s6.jar
[0.084s] dev.peregrine.protocol.Leniency source: file:/tmp/w/start-m/s6.jar
[0.085s] dev.peregrine.server.start.Feature source: file:/tmp/w/start-m/s6.jar
[0.085s] dev.peregrine.server.http2.Http2 source: file:/tmp/w/start-m/s6.jar
[0.086s] dev.peregrine.server.websocket.WebSocketProtocol source: file:/tmp/w/start-m/s6.jar
[0.086s] dev.peregrine.server.epoll.Epoll source: file:/tmp/w/start-m/s6.jar
[0.086s] dev.peregrine.server.jfr.FlightEvents source: file:/tmp/w/start-m/s6.jar
[0.086s] dev.peregrine.server.start.ServerEvents source: file:/tmp/w/start-m/s6.jar
[0.086s] dev.peregrine.server.Health source: file:/tmp/w/start-m/s6.jar
[0.087s] dev.peregrine.base.EncodedFields source: file:/tmp/w/start-m/s6.jar
[0.087s] dev.peregrine.http.PreparedFields source: file:/tmp/w/start-m/s6.jar
[0.087s] dev.peregrine.protocol.KnownHeader source: file:/tmp/w/start-m/s6.jar
[0.087s] java.nio.charset.StandardCharsets source: shared objects file
[0.087s] sun.nio.cs.US_ASCII source: shared objects file
[0.087s] sun.nio.cs.ISO_8859_1 source: shared objects file
[0.087s] sun.nio.cs.UTF_16BE source: shared objects file
[0.087s] sun.nio.cs.UTF_16LE source: shared objects file
[0.087s] sun.nio.cs.UTF_16 source: shared objects file
[0.087s] sun.nio.cs.UTF_32BE source: shared objects file
[0.087s] sun.nio.cs.UTF_32LE source: shared objects file
[0.087s] sun.nio.cs.UTF_32 source: shared objects file
[0.088s] java.util.JumboEnumSet source: jrt:/java.base
[0.088s] dev.peregrine.protocol.FieldSyntax source: file:/tmp/w/start-m/s6.jar
[0.089s] java.lang.invoke.VarHandles source: shared objects file
[0.089s] java.lang.invoke.VarHandleByteArrayAsLongs$ByteArrayViewVarHandle source: shared objects file
[0.089s] java.lang.invoke.VarHandleByteArrayAsLongs$ArrayHandle source: shared objects file
[0.089s] java.lang.invoke.VarHandleGuards source: shared objects file
[0.089s] java.lang.invoke.VarForm source: shared objects file
[0.089s] dev.peregrine.protocol.grammar.CharClass source: file:/tmp/w/start-m/s6.jar
[0.090s] dev.peregrine.server.Health$Check source: file:/tmp/w/start-m/s6.jar
[0.091s] dev.peregrine.examples.Routes source: file:/tmp/w/start-m/s6.jar
[0.091s] dev.peregrine.http.JsonCodec source: file:/tmp/w/start-m/s6.jar
[0.091s] dev.peregrine.server.Health$Probe source: file:/tmp/w/start-m/s6.jar
[0.091s] dev.peregrine.examples.AvajeJson source: file:/tmp/w/start-m/s6.jar
[0.091s] io.avaje.json.stream.JsonOutput source: file:/tmp/w/start-m/s6.jar
[0.092s] io.avaje.json.JsonException source: file:/tmp/w/start-m/s6.jar
[0.092s] dev.peregrine.cli.MetricsServer source: file:/tmp/w/start-m/s6.jar
[0.092s] dev.peregrine.server.observe.ServerListener source: file:/tmp/w/start-m/s6.jar
[0.092s] dev.peregrine.cli.Main$ExitOnFatal source: file:/tmp/w/start-m/s6.jar
[0.092s] dev.peregrine.server.start.ServerSettings source: file:/tmp/w/start-m/s6.jar
[0.092s] dev.peregrine.server.start.Features source: file:/tmp/w/start-m/s6.jar
[0.093s] dev.peregrine.server.start.ServerFacts source: file:/tmp/w/start-m/s6.jar
[0.093s] dev.peregrine.server.start.Bootstrap source: file:/tmp/w/start-m/s6.jar
[0.093s] java.util.function.IntSupplier source: jrt:/java.base
[0.093s] java.util.function.BooleanSupplier source: jrt:/java.base
[0.093s] dev.peregrine.server.start.ServerTransport source: file:/tmp/w/start-m/s6.jar
[0.093s] dev.peregrine.server.transport.Transport source: file:/tmp/w/start-m/s6.jar
[0.093s] java.lang.InterruptedException source: jrt:/java.base
[0.093s] dev.peregrine.server.start.NativeTransport source: file:/tmp/w/start-m/s6.jar
[0.093s] dev.peregrine.server.epoll.Epoll$Calls source: file:/tmp/w/start-m/s6.jar
[0.094s] dev.peregrine.server.memory.MemorySource source: file:/tmp/w/start-m/s6.jar
[0.094s] dev.peregrine.linux.Linux source: file:/tmp/w/start-m/s6.jar
[0.094s] dev.peregrine.linux.Architecture source: file:/tmp/w/start-m/s6.jar
[0.094s] dev.peregrine.server.transport.nio.NioTransport source: file:/tmp/w/start-m/s6.jar
[0.094s] java.net.ProtocolFamily source: jrt:/java.base
[0.094s] java.net.SocketAddress source: jrt:/java.base
[0.094s] java.net.UnixDomainSocketAddress source: jrt:/java.base
[0.094s] dev.peregrine.server.transport.Listener source: file:/tmp/w/start-m/s6.jar
[0.094s] java.net.InetSocketAddress source: jrt:/java.base
[0.094s] dev.peregrine.server.transport.Poller source: file:/tmp/w/start-m/s6.jar
[0.095s] dev.peregrine.server.transport.epoll.MappedMemory source: file:/tmp/w/start-m/s6.jar
[0.096s] dev.peregrine.parser.ScannerKind source: file:/tmp/w/start-m/s6.jar
[0.096s] dev.peregrine.parser.RequestParser source: file:/tmp/w/start-m/s6.jar
[0.096s] dev.peregrine.parser.scan.Scanner source: file:/tmp/w/start-m/s6.jar
[0.097s] dev.peregrine.parser.scan.SwarScanner source: file:/tmp/w/start-m/s6.jar
[0.097s] dev.peregrine.protocol.grammar.Swar source: file:/tmp/w/start-m/s6.jar
[0.098s] dev.peregrine.parser.scan.ScalarScanner source: file:/tmp/w/start-m/s6.jar
[0.098s] dev.peregrine.parser.field.StrideScanner source: file:/tmp/w/start-m/s6.jar
[0.098s] dev.peregrine.parser.RequestLine source: file:/tmp/w/start-m/s6.jar
[0.099s] dev.peregrine.parser.TargetRules source: file:/tmp/w/start-m/s6.jar
[0.099s] dev.peregrine.parser.scan.Memory source: file:/tmp/w/start-m/s6.jar
[0.099s] java.lang.AssertionError source: jrt:/java.base
[0.099s] java.lang.foreign.MemoryLayout source: jrt:/java.base
[0.099s] java.lang.foreign.ValueLayout source: jrt:/java.base
[0.099s] java.lang.foreign.AddressLayout source: jrt:/java.base
[0.099s] jdk.internal.foreign.layout.AbstractLayout source: jrt:/java.base
[0.099s] jdk.internal.foreign.layout.ValueLayouts$AbstractValueLayout source: jrt:/java.base
[0.099s] jdk.internal.foreign.layout.ValueLayouts$OfAddressImpl source: jrt:/java.base
[0.099s] jdk.internal.foreign.layout.ValueLayouts source: jrt:/java.base
[0.100s] java.lang.foreign.MemorySegment source: jrt:/java.base
[0.100s] jdk.internal.foreign.layout.MemoryLayoutUtil source: jrt:/java.base
[0.100s] jdk.internal.foreign.Utils source: jrt:/java.base
[0.100s] jdk.internal.foreign.abi.SharedUtils source: jrt:/java.base
[0.103s] java.lang.IncompatibleClassChangeError source: shared objects file
[0.103s] java.lang.NoSuchMethodError source: shared objects file
[0.104s] java.lang.invoke.LambdaForm$DMH/0x0000000048050000 source: __JVM_LookupDefineClass__
[0.104s] java.lang.invoke.LambdaForm$DMH/0x0000000048050400 source: __JVM_LookupDefineClass__
[0.104s] java.lang.invoke.LambdaForm$DMH/0x0000000048050800 source: __JVM_LookupDefineClass__
[0.105s] java.lang.invoke.LambdaForm$DMH/0x0000000048050c00 source: __JVM_LookupDefineClass__
[0.105s] java.lang.invoke.LambdaForm$DMH/0x0000000048051000 source: __JVM_LookupDefineClass__
[0.105s] java.lang.foreign.ValueLayout$OfByte source: jrt:/java.base
[0.105s] jdk.internal.foreign.layout.ValueLayouts$OfByteImpl source: jrt:/java.base
[0.105s] java.lang.foreign.ValueLayout$OfBoolean source: jrt:/java.base
[0.105s] jdk.internal.foreign.layout.ValueLayouts$OfBooleanImpl source: jrt:/java.base
[0.105s] java.lang.foreign.ValueLayout$OfChar source: jrt:/java.base
[0.105s] jdk.internal.foreign.layout.ValueLayouts$OfCharImpl source: jrt:/java.base
[0.105s] java.lang.foreign.ValueLayout$OfShort source: jrt:/java.base
[0.105s] jdk.internal.foreign.layout.ValueLayouts$OfShortImpl source: jrt:/java.base
[0.106s] java.lang.foreign.ValueLayout$OfInt source: jrt:/java.base
[0.106s] jdk.internal.foreign.layout.ValueLayouts$OfIntImpl source: jrt:/java.base
[0.106s] java.lang.foreign.ValueLayout$OfLong source: jrt:/java.base
[0.106s] jdk.internal.foreign.layout.ValueLayouts$OfLongImpl source: jrt:/java.base
[0.106s] java.lang.foreign.ValueLayout$OfFloat source: jrt:/java.base
[0.106s] jdk.internal.foreign.layout.ValueLayouts$OfFloatImpl source: jrt:/java.base
[0.106s] java.lang.foreign.ValueLayout$OfDouble source: jrt:/java.base
[0.106s] jdk.internal.foreign.layout.ValueLayouts$OfDoubleImpl source: jrt:/java.base
[0.106s] jdk.internal.foreign.LayoutPath source: jrt:/java.base
[0.106s] java.lang.foreign.MemoryLayout$PathElement source: jrt:/java.base
[0.110s] java.lang.invoke.LambdaForm$DMH/0x0000000048051400 source: __JVM_LookupDefineClass__
[0.113s] java.lang.invoke.LambdaForm$DMH/0x0000000048051800 source: __JVM_LookupDefineClass__
[0.115s] java.lang.invoke.LambdaForm$DMH/0x0000000048051c00 source: __JVM_LookupDefineClass__
[0.115s] java.lang.invoke.DirectMethodHandle$Interface source: shared objects file
[0.117s] java.lang.invoke.LambdaForm$DMH/0x0000000048052000 source: __JVM_LookupDefineClass__
[0.118s] java.lang.invoke.LambdaForm$DMH/0x0000000048052400 source: __JVM_LookupDefineClass__
[0.119s] java.lang.invoke.LambdaForm$DMH/0x0000000048052800 source: __JVM_LookupDefineClass__
[0.121s] java.lang.invoke.LambdaForm$DMH/0x0000000048052c00 source: __JVM_LookupDefineClass__
[0.121s] java.lang.invoke.LambdaMetafactory source: shared objects file
[0.121s] java.lang.Module$ReflectionData source: shared objects file
[0.121s] java.lang.WeakPairMap source: shared objects file
[0.121s] java.lang.WeakPairMap$Pair source: shared objects file
[0.121s] java.lang.WeakPairMap$Pair$Lookup source: shared objects file
[0.121s] java.lang.invoke.BootstrapMethodInvoker source: shared objects file
[0.121s] java.lang.invoke.AbstractValidatingLambdaMetafactory source: shared objects file
[0.121s] java.lang.invoke.InnerClassLambdaMetafactory source: shared objects file
[0.121s] java.lang.invoke.MethodHandleInfo source: shared objects file
[0.121s] java.lang.invoke.InfoFromMemberName source: shared objects file
[0.122s] java.lang.invoke.LambdaProxyClassArchive source: shared objects file
[0.122s] java.lang.invoke.InnerClassLambdaMetafactory$1 source: shared objects file
[0.122s] java.util.ImmutableCollections$Access source: shared objects file
[0.122s] jdk.internal.access.JavaUtilCollectionAccess source: shared objects file
[0.122s] java.util.ImmutableCollections$Access$1 source: shared objects file
[0.122s] java.lang.classfile.Interfaces source: shared objects file
[0.122s] jdk.internal.classfile.impl.InterfacesImpl source: shared objects file
[0.122s] java.lang.invoke.InnerClassLambdaMetafactory$3 source: shared objects file
[0.122s] java.lang.invoke.InnerClassLambdaMetafactory$6 source: shared objects file
[0.122s] java.lang.invoke.TypeConvertingMethodAdapter source: shared objects file
[0.122s] jdk.internal.foreign.layout.AbstractLayout$$Lambda/0x000000004800c6d8 source: jdk.internal.foreign.layout.AbstractLayout
[0.122s] java.lang.invoke.DirectMethodHandle$Constructor source: shared objects file
[0.122s] jdk.internal.foreign.Utils$1VarHandleCache source: jrt:/java.base
[0.122s] java.lang.invoke.VarHandleSegmentAsBytes source: jrt:/java.base
[0.124s] java.lang.invoke.SegmentVarHandle source: jrt:/java.base
[0.124s] java.lang.invoke.VarHandleSegmentAsChars source: jrt:/java.base
[0.125s] java.lang.invoke.VarHandleSegmentAsInts source: jrt:/java.base
[0.126s] java.lang.invoke.VarHandleSegmentAsLongs source: jrt:/java.base
[0.126s] jdk.internal.foreign.SegmentFactories source: jrt:/java.base
[0.126s] java.lang.foreign.SegmentAllocator source: jrt:/java.base
[0.126s] jdk.internal.foreign.AbstractMemorySegmentImpl source: jrt:/java.base
[0.126s] jdk.internal.foreign.NativeMemorySegmentImpl source: jrt:/java.base
[0.127s] java.lang.foreign.MemorySegment$Scope source: jrt:/java.base
[0.127s] jdk.internal.foreign.MemorySessionImpl source: jrt:/java.base
[0.127s] jdk.internal.invoke.MhUtil source: shared objects file
[0.127s] java.lang.invoke.VarHandleInts$FieldInstanceReadOnly source: jrt:/java.base
[0.127s] java.lang.invoke.VarHandleInts$FieldInstanceReadWrite source: jrt:/java.base
[0.127s] jdk.internal.misc.ScopedMemoryAccess$ScopedAccessError source: jrt:/java.base
[0.128s] java.lang.invoke.LambdaForm$DMH/0x0000000048053000 source: __JVM_LookupDefineClass__
[0.130s] jdk.internal.foreign.MemorySessionImpl$$Lambda/0x000000004800f9e0 source: jdk.internal.foreign.MemorySessionImpl
[0.130s] java.lang.WrongThreadException source: jrt:/java.base
[0.130s] jdk.internal.foreign.MemorySessionImpl$$Lambda/0x000000004800fe70 source: jdk.internal.foreign.MemorySessionImpl
[0.130s] jdk.internal.foreign.GlobalSession source: jrt:/java.base
[0.130s] jdk.internal.reflect.Reflection$1Holder source: shared objects file
[0.131s] dev.peregrine.parser.scan.Methods source: file:/tmp/w/start-m/s6.jar
[0.132s] dev.peregrine.protocol.HttpMethod source: file:/tmp/w/start-m/s6.jar
[0.133s] dev.peregrine.parser.TargetForm source: file:/tmp/w/start-m/s6.jar
[0.133s] dev.peregrine.parser.FastRequestLine source: file:/tmp/w/start-m/s6.jar
[0.134s] dev.peregrine.server.start.HttpProtocols source: file:/tmp/w/start-m/s6.jar
[0.134s] dev.peregrine.server.loop.LoopTask source: file:/tmp/w/start-m/s6.jar
[0.135s] dev.peregrine.server.start.HttpProtocols$AfterHeads source: file:/tmp/w/start-m/s6.jar
[0.135s] dev.peregrine.server.exchange.state.ExchangeReuse source: file:/tmp/w/start-m/s6.jar
[0.135s] dev.peregrine.server.accept.Admission source: file:/tmp/w/start-m/s6.jar
[0.136s] dev.peregrine.server.transport.SocketFacts source: file:/tmp/w/start-m/s6.jar
[0.136s] java.nio.channels.Channel source: shared objects file
[0.136s] java.nio.channels.WritableByteChannel source: shared objects file
[0.136s] java.nio.channels.GatheringByteChannel source: shared objects file
[0.136s] dev.peregrine.server.memory.OutboundChannel source: file:/tmp/w/start-m/s6.jar
[0.136s] java.nio.channels.ReadableByteChannel source: shared objects file
[0.136s] dev.peregrine.server.transport.StreamSocket source: file:/tmp/w/start-m/s6.jar
[0.136s] dev.peregrine.server.accept.Admission$Passed source: file:/tmp/w/start-m/s6.jar
[0.137s] dev.peregrine.server.accept.EndpointLimit source: file:/tmp/w/start-m/s6.jar
[0.137s] dev.peregrine.server.accept.FirstConnections source: file:/tmp/w/start-m/s6.jar
[0.137s] dev.peregrine.server.accept.Worker source: file:/tmp/w/start-m/s6.jar
[0.137s] dev.peregrine.server.loop.EventLoop source: file:/tmp/w/start-m/s6.jar
[0.137s] java.util.function.LongSupplier source: jrt:/java.base
[0.138s] dev.peregrine.server.loop.Relieved source: file:/tmp/w/start-m/s6.jar
[0.138s] dev.peregrine.base.FieldHandle source: file:/tmp/w/start-m/s6.jar
[0.138s] java.lang.invoke.ConstantBootstraps source: jrt:/java.base
[0.138s] java.lang.invoke.VarHandleLongs$FieldInstanceReadOnly source: shared objects file
[0.138s] java.lang.invoke.VarHandleLongs$FieldInstanceReadWrite source: shared objects file
[0.138s] dev.peregrine.server.loop.SystemClock source: file:/tmp/w/start-m/s6.jar
[0.138s] dev.peregrine.server.loop.LoopOwner source: file:/tmp/w/start-m/s6.jar
[0.138s] java.lang.invoke.VarHandleReferences$FieldInstanceReadOnly source: shared objects file
[0.138s] java.lang.invoke.VarHandleReferences$FieldInstanceReadWrite source: shared objects file
[0.138s] java.util.concurrent.CountDownLatch source: shared objects file
[0.139s] java.util.concurrent.CountDownLatch$Sync source: jrt:/java.base
[0.142s] dev.peregrine.server.loop.ParkedThreads source: file:/tmp/w/start-m/s6.jar
[0.143s] dev.peregrine.server.loop.FailureSpell source: file:/tmp/w/start-m/s6.jar
[0.144s] dev.peregrine.server.loop.TurnNotes source: file:/tmp/w/start-m/s6.jar
[0.144s] dev.peregrine.server.loop.TimeSlice source: file:/tmp/w/start-m/s6.jar
[0.144s] dev.peregrine.server.loop.TimerHeap source: file:/tmp/w/start-m/s6.jar
[0.144s] dev.peregrine.server.memory.BufferPool source: file:/tmp/w/start-m/s6.jar
[0.144s] dev.peregrine.server.memory.Leases source: file:/tmp/w/start-m/s6.jar
[0.145s] dev.peregrine.server.memory.Leases$Host source: file:/tmp/w/start-m/s6.jar
[0.146s] dev.peregrine.server.memory.Releasable source: file:/tmp/w/start-m/s6.jar
[0.146s] java.lang.System$Logger source: shared objects file
[0.146s] dev.peregrine.base.LogFrame source: file:/tmp/w/start-m/s6.jar
[0.146s] dev.peregrine.base.FailureLog source: file:/tmp/w/start-m/s6.jar
[0.150s] dev.peregrine.server.memory.Leases$1 source: file:/tmp/w/start-m/s6.jar
[0.150s] dev.peregrine.server.memory.Block source: file:/tmp/w/start-m/s6.jar
[0.150s] dev.peregrine.server.memory.SlabAllocator source: file:/tmp/w/start-m/s6.jar
[0.150s] dev.peregrine.server.memory.SlabGuard$PoolState source: file:/tmp/w/start-m/s6.jar
[0.152s] dev.peregrine.server.transport.nio.NioPoller source: file:/tmp/w/start-m/s6.jar
[0.152s] java.nio.channels.CancelledKeyException source: jrt:/java.base
[0.152s] java.nio.channels.Selector source: jrt:/java.base
[0.152s] java.nio.channels.spi.SelectorProvider source: jrt:/java.base
[0.153s] java.nio.channels.spi.SelectorProvider$Holder source: jrt:/java.base
[0.153s] java.util.ServiceLoader source: shared objects file
[0.153s] java.util.ServiceLoader$ModuleServicesLookupIterator source: shared objects file
[0.153s] jdk.internal.loader.AbstractClassLoaderValue$Memoizer source: shared objects file
[0.153s] java.util.Spliterators source: shared objects file
[0.153s] java.util.Spliterator source: shared objects file
[0.153s] java.util.Spliterators$ArraySpliterator source: shared objects file
[0.153s] java.util.stream.StreamSupport source: shared objects file
[0.153s] java.util.stream.PipelineHelper source: shared objects file
[0.153s] java.util.stream.BaseStream source: shared objects file
[0.153s] java.util.stream.AbstractPipeline source: shared objects file
[0.153s] java.util.stream.Stream source: shared objects file
[0.153s] java.util.stream.ReferencePipeline source: shared objects file
[0.153s] java.util.stream.ReferencePipeline$Head source: shared objects file
[0.153s] java.util.stream.StreamOpFlag source: shared objects file
[0.153s] java.util.stream.StreamOpFlag$Type source: shared objects file
[0.153s] java.util.stream.StreamOpFlag$MaskBuilder source: shared objects file
[0.153s] sun.reflect.annotation.AnnotationParser source: shared objects file
[0.154s] java.util.Spliterators$1Adapter source: shared objects file
[0.154s] java.util.HashMap$Values source: shared objects file
[0.154s] java.util.HashMap$ValueIterator source: shared objects file
[0.154s] java.util.ImmutableCollections$Set12$1 source: shared objects file
[0.154s] java.util.ImmutableCollections$SetN$SetNIterator source: shared objects file
[0.154s] java.util.Arrays$ArrayList source: shared objects file
[0.154s] java.util.ServiceLoader$LazyClassPathLookupIterator source: shared objects file
[0.154s] java.util.ServiceLoader$1 source: shared objects file
[0.154s] java.util.ServiceLoader$2 source: shared objects file
[0.154s] jdk.internal.module.Resources source: shared objects file
[0.154s] jdk.internal.loader.BuiltinClassLoader$2 source: shared objects file
[0.154s] java.lang.module.ModuleReader source: shared objects file
[0.154s] jdk.internal.module.SystemModuleFinders$SystemModuleReader source: shared objects file
[0.154s] jdk.internal.module.SystemModuleFinders$SystemImage source: shared objects file
[0.154s] jdk.internal.jimage.ImageReaderFactory source: shared objects file
[0.154s] jdk.internal.jimage.ImageReaderFactory$1 source: shared objects file
[0.154s] jdk.internal.jimage.ImageReader source: shared objects file
[0.154s] jdk.internal.jimage.BasicImageReader source: shared objects file
[0.154s] jdk.internal.jimage.ImageReader$SharedImageReader source: shared objects file
[0.154s] java.security.PrivilegedAction source: shared objects file
[0.154s] jdk.internal.jimage.BasicImageReader$1 source: shared objects file
[0.154s] java.security.AccessController source: shared objects file
[0.154s] java.security.AccessControlContext source: shared objects file
[0.154s] jdk.internal.jimage.NativeImageBuffer source: shared objects file
[0.154s] jdk.internal.jimage.NativeImageBuffer$1 source: shared objects file
[0.154s] jdk.internal.jimage.ImageHeader source: shared objects file
[0.154s] java.nio.IntBuffer source: shared objects file
[0.154s] java.nio.DirectIntBufferU source: shared objects file
[0.155s] java.nio.DirectByteBufferR source: shared objects file
[0.155s] java.nio.DirectIntBufferRU source: shared objects file
[0.155s] jdk.internal.jimage.ImageStrings source: shared objects file
[0.155s] jdk.internal.jimage.ImageStringsReader source: shared objects file
[0.155s] jdk.internal.jimage.decompressor.Decompressor source: shared objects file
[0.155s] jdk.internal.jimage.ImageLocation source: shared objects file
[0.156s] java.util.Collections$EmptyEnumeration source: shared objects file
[0.156s] jdk.internal.loader.BuiltinClassLoader$1 source: shared objects file
[0.156s] java.lang.CompoundEnumeration source: shared objects file
[0.157s] jdk.internal.loader.URLClassPath$1 source: shared objects file
[0.157s] sun.nio.ch.DefaultSelectorProvider source: jrt:/java.base
[0.157s] sun.nio.ch.SelectorProviderImpl source: jrt:/java.base
[0.157s] sun.nio.ch.EPollSelectorProvider source: jrt:/java.base
[0.157s] java.nio.channels.spi.AbstractSelector source: jrt:/java.base
[0.157s] sun.nio.ch.SelectorImpl source: jrt:/java.base
[0.157s] sun.nio.ch.EPollSelectorImpl source: jrt:/java.base
[0.157s] java.lang.invoke.VarHandleBooleans$FieldInstanceReadOnly source: shared objects file
[0.157s] java.lang.invoke.VarHandleBooleans$FieldInstanceReadWrite source: shared objects file
[0.158s] sun.nio.ch.IOUtil source: shared objects file
[0.159s] sun.nio.ch.Interruptible source: shared objects file
[0.159s] java.nio.channels.spi.AbstractSelector$1 source: jrt:/java.base
[0.159s] sun.nio.ch.Util source: shared objects file
[0.159s] sun.nio.ch.Util$1 source: shared objects file
[0.159s] sun.nio.ch.Util$2 source: jrt:/java.base
[0.159s] sun.nio.ch.EPoll source: jrt:/java.base
[0.159s] sun.nio.ch.EventFD source: jrt:/java.base
[0.159s] java.nio.channels.SelectionKey source: jrt:/java.base
[0.159s] dev.peregrine.server.loop.TaskInbox source: file:/tmp/w/start-m/s6.jar
[0.160s] dev.peregrine.server.loop.TaskQueue source: file:/tmp/w/start-m/s6.jar
[0.160s] dev.peregrine.server.loop.TaskQueue$1 source: file:/tmp/w/start-m/s6.jar
[0.160s] dev.peregrine.server.loop.LoopTask$1 source: file:/tmp/w/start-m/s6.jar
[0.160s] dev.peregrine.server.loop.BoundedLog source: file:/tmp/w/start-m/s6.jar
[0.160s] java.lang.IllegalAccessException source: jrt:/java.base
[0.160s] java.lang.ExceptionInInitializerError source: jrt:/java.base
[0.161s] dev.peregrine.base.Incident source: file:/tmp/w/start-m/s6.jar
[0.161s] dev.peregrine.base.Log source: file:/tmp/w/start-m/s6.jar
[0.161s] java.lang.Thread$Builder source: jrt:/java.base
[0.161s] java.lang.Thread$Builder$OfPlatform source: jrt:/java.base
[0.161s] java.lang.ThreadBuilders$BaseThreadBuilder source: jrt:/java.base
[0.162s] java.lang.ThreadBuilders$PlatformThreadBuilder source: jrt:/java.base
[0.162s] java.lang.ThreadBuilders source: jrt:/java.base
[0.162s] dev.peregrine.server.loop.EventLoop$Begin source: file:/tmp/w/start-m/s6.jar
[0.162s] dev.peregrine.server.exchange.state.ExchangeContext source: file:/tmp/w/start-m/s6.jar
[0.162s] dev.peregrine.server.pace.DataRate source: file:/tmp/w/start-m/s6.jar
[0.163s] dev.peregrine.server.exchange.state.RefusalLog source: file:/tmp/w/start-m/s6.jar
[0.163s] dev.peregrine.server.exchange.state.Errors source: file:/tmp/w/start-m/s6.jar
[0.164s] dev.peregrine.server.http1.Http1 source: file:/tmp/w/start-m/s6.jar
[0.164s] dev.peregrine.server.exchange.state.HttpStream source: file:/tmp/w/start-m/s6.jar
[0.164s] dev.peregrine.server.http1.Http1Stream source: file:/tmp/w/start-m/s6.jar
[0.164s] dev.peregrine.server.exchange.StreamPool source: file:/tmp/w/start-m/s6.jar
[0.165s] dev.peregrine.server.http1.Http1Stream$Source source: file:/tmp/w/start-m/s6.jar
[0.165s] dev.peregrine.server.http1.CountedParser source: file:/tmp/w/start-m/s6.jar
[0.165s] dev.peregrine.server.http1.ResponseEncoder source: file:/tmp/w/start-m/s6.jar
[0.166s] dev.peregrine.http.ContentType source: file:/tmp/w/start-m/s6.jar
[0.166s] java.lang.invoke.VarHandleByteArrayAsShorts$ByteArrayViewVarHandle source: shared objects file
[0.166s] java.lang.invoke.VarHandleByteArrayAsShorts$ArrayHandle source: shared objects file
[0.166s] java.lang.invoke.VarHandle$AccessDescriptor source: shared objects file
[0.166s] dev.peregrine.server.http1.ResponsePreamble source: file:/tmp/w/start-m/s6.jar
[0.167s] dev.peregrine.server.exchange.text.CurrentDate source: file:/tmp/w/start-m/s6.jar
[0.167s] dev.peregrine.protocol.HttpDate source: file:/tmp/w/start-m/s6.jar
[0.167s] java.time.temporal.TemporalAccessor source: shared objects file
[0.167s] java.time.temporal.Temporal source: shared objects file
[0.167s] java.time.temporal.TemporalAdjuster source: shared objects file
[0.167s] java.time.chrono.ChronoLocalDate source: shared objects file
[0.167s] java.time.LocalDate source: shared objects file
[0.167s] java.time.temporal.TemporalField source: shared objects file
[0.167s] java.time.temporal.ChronoField source: shared objects file
[0.167s] java.time.temporal.TemporalUnit source: shared objects file
[0.167s] java.time.temporal.ChronoUnit source: shared objects file
[0.167s] java.time.temporal.ValueRange source: shared objects file
[0.167s] java.time.Instant source: shared objects file
[0.167s] dev.peregrine.server.http1.Refusal source: file:/tmp/w/start-m/s6.jar
[0.168s] dev.peregrine.server.exchange.text.FieldLines source: file:/tmp/w/start-m/s6.jar
[0.168s] dev.peregrine.server.http2.Http2$OnLoop source: file:/tmp/w/start-m/s6.jar
[0.168s] dev.peregrine.server.http1.Http2Door source: file:/tmp/w/start-m/s6.jar
[0.168s] dev.peregrine.server.websocket.WebSocketProtocol$OnLoop source: file:/tmp/w/start-m/s6.jar
[0.168s] dev.peregrine.server.exchange.state.WebSocketOpener source: file:/tmp/w/start-m/s6.jar
[0.168s] dev.peregrine.server.start.HttpProtocols$OnLoop source: file:/tmp/w/start-m/s6.jar
[0.169s] dev.peregrine.server.connection.ConnectionGroup source: file:/tmp/w/start-m/s6.jar
[0.169s] dev.peregrine.server.loop.TurnUser source: file:/tmp/w/start-m/s6.jar
[0.169s] dev.peregrine.server.connection.ConnectionTable$Entry source: file:/tmp/w/start-m/s6.jar
[0.170s] dev.peregrine.server.transport.ReadyHandler source: file:/tmp/w/start-m/s6.jar
[0.170s] dev.peregrine.server.turn.TurnHolder source: file:/tmp/w/start-m/s6.jar
[0.170s] dev.peregrine.server.connection.Connection source: file:/tmp/w/start-m/s6.jar
[0.171s] dev.peregrine.server.connection.ConnectionTable source: file:/tmp/w/start-m/s6.jar
[0.171s] java.util.Arrays$ArrayItr source: shared objects file
[0.171s] dev.peregrine.server.pace.ClientClock source: file:/tmp/w/start-m/s6.jar
[0.171s] dev.peregrine.server.connection.ConnectionContext source: file:/tmp/w/start-m/s6.jar
[0.171s] dev.peregrine.server.connection.facts.ConnectionCount source: file:/tmp/w/start-m/s6.jar
[0.171s] dev.peregrine.server.connection.ConnectionGroup$OnGap source: file:/tmp/w/start-m/s6.jar
[0.172s] dev.peregrine.server.connection.facts.LoopRecord source: file:/tmp/w/start-m/s6.jar
[0.172s] dev.peregrine.base.LoopCounters source: file:/tmp/w/start-m/s6.jar
[0.172s] java.lang.invoke.VarHandleLongs$Array source: jrt:/java.base
[0.173s] dev.peregrine.server.loop.LeaseCalls source: file:/tmp/w/start-m/s6.jar
[0.174s] dev.peregrine.server.loop.LeaseCalls$Call source: file:/tmp/w/start-m/s6.jar
[0.174s] dev.peregrine.server.memory.InboundBuffer source: file:/tmp/w/start-m/s6.jar
[0.174s] dev.peregrine.server.memory.Slab source: file:/tmp/w/start-m/s6.jar
[0.174s] java.lang.foreign.Arena source: jrt:/java.base
[0.174s] jdk.internal.foreign.SharedSession source: jrt:/java.base
[0.174s] jdk.internal.foreign.MemorySessionImpl$ResourceList source: jrt:/java.base
[0.174s] jdk.internal.foreign.SharedSession$SharedResourceList source: jrt:/java.base
[0.174s] jdk.internal.foreign.MemorySessionImpl$ResourceList$ResourceCleanup source: jrt:/java.base
[0.174s] jdk.internal.foreign.ArenaImpl source: jrt:/java.base
[0.174s] jdk.internal.foreign.ImplicitSession source: jrt:/java.base
[0.174s] dev.peregrine.server.memory.DirectMemory source: file:/tmp/w/start-m/s6.jar
[0.175s] java.nio.DirectByteBuffer$Deallocator source: jrt:/java.base
[0.175s] jdk.internal.foreign.GlobalSession$HeapSession source: jrt:/java.base
[0.175s] dev.peregrine.server.memory.SlabGuard source: file:/tmp/w/start-m/s6.jar
[0.176s] dev.peregrine.server.memory.OutboundQueues source: file:/tmp/w/start-m/s6.jar
[0.179s] dev.peregrine.server.memory.OutboundQueue source: file:/tmp/w/start-m/s6.jar
[0.179s] java.nio.channels.ClosedChannelException source: jrt:/java.base
[0.179s] dev.peregrine.server.memory.ContentFailedException source: file:/tmp/w/start-m/s6.jar
[0.179s] dev.peregrine.server.memory.Piece source: file:/tmp/w/start-m/s6.jar
[0.180s] dev.peregrine.server.connection.CurrentTurn source: file:/tmp/w/start-m/s6.jar
[0.180s] dev.peregrine.server.connection.ConnectionSweep source: file:/tmp/w/start-m/s6.jar
[0.181s] dev.peregrine.server.turn.Turn source: file:/tmp/w/start-m/s6.jar
[0.181s] dev.peregrine.server.connection.ConnectionSweep$Judgement source: file:/tmp/w/start-m/s6.jar
[0.181s] dev.peregrine.server.connection.MemoryRelief source: file:/tmp/w/start-m/s6.jar
[0.181s] dev.peregrine.server.memory.HeapWatch source: file:/tmp/w/start-m/s6.jar
[0.181s] dev.peregrine.server.connection.MemoryRelief$Abort source: file:/tmp/w/start-m/s6.jar
[0.181s] dev.peregrine.server.connection.SpareConnections source: file:/tmp/w/start-m/s6.jar
[0.182s] dev.peregrine.server.connection.SpareConnections$Loss source: file:/tmp/w/start-m/s6.jar
[0.182s] dev.peregrine.server.connection.SpareConnections$Look source: file:/tmp/w/start-m/s6.jar
[0.183s] dev.peregrine.server.connection.SpareConnections$End source: file:/tmp/w/start-m/s6.jar
[0.183s] dev.peregrine.server.connection.ConnectionSweep$Tick source: file:/tmp/w/start-m/s6.jar
[0.183s] dev.peregrine.server.loop.LoopTimer source: file:/tmp/w/start-m/s6.jar
[0.183s] dev.peregrine.server.accept.Worker$DrainSweep source: file:/tmp/w/start-m/s6.jar
[0.183s] java.net.InetAddress source: shared objects file
[0.184s] jdk.internal.access.JavaNetInetAddressAccess source: shared objects file
[0.184s] java.net.InetAddress$1 source: shared objects file
[0.184s] jdk.internal.util.Exceptions source: shared objects file
[0.184s] sun.security.util.SecurityProperties source: shared objects file
[0.184s] java.security.Security source: shared objects file
[0.184s] java.security.Security$1 source: shared objects file
[0.184s] java.security.Security$SecPropLoader source: shared objects file
[0.184s] java.nio.file.FileSystems source: shared objects file
[0.184s] java.nio.file.FileSystems$DefaultFileSystemHolder source: shared objects file
[0.184s] java.net.URI$Parser source: shared objects file
[0.184s] java.security.Security$SecPropLoader$LoadingMode source: shared objects file
[0.184s] java.nio.file.attribute.FileAttribute source: shared objects file
[0.184s] sun.nio.fs.UnixFileModeAttribute source: shared objects file
[0.184s] sun.nio.fs.UnixChannelFactory source: shared objects file
[0.184s] sun.nio.fs.UnixChannelFactory$Flags source: shared objects file
[0.184s] java.util.Collections$EmptyIterator source: shared objects file
[0.184s] java.nio.channels.InterruptibleChannel source: shared objects file
[0.184s] java.nio.channels.spi.AbstractInterruptibleChannel source: shared objects file
[0.184s] java.nio.channels.ByteChannel source: shared objects file
[0.184s] java.nio.channels.SeekableByteChannel source: shared objects file
[0.184s] java.nio.channels.ScatteringByteChannel source: shared objects file
[0.184s] java.nio.channels.FileChannel source: shared objects file
[0.184s] sun.nio.ch.FileChannelImpl source: shared objects file
[0.184s] sun.nio.ch.NativeDispatcher source: shared objects file
[0.184s] sun.nio.ch.FileDispatcher source: shared objects file
[0.184s] sun.nio.ch.UnixFileDispatcherImpl source: shared objects file
[0.184s] sun.nio.ch.FileDispatcherImpl source: shared objects file
[0.184s] java.nio.channels.spi.AbstractInterruptibleChannel$1 source: shared objects file
[0.184s] sun.nio.ch.NativeThreadSet source: shared objects file
[0.184s] sun.nio.ch.FileChannelImpl$Closer source: shared objects file
[0.184s] java.nio.channels.Channels source: shared objects file
[0.184s] sun.nio.ch.Streams source: shared objects file
[0.184s] java.nio.channels.SelectableChannel source: shared objects file
[0.184s] java.nio.channels.spi.AbstractSelectableChannel source: shared objects file
[0.184s] java.nio.channels.NetworkChannel source: shared objects file
[0.184s] java.nio.channels.SocketChannel source: shared objects file
[0.184s] sun.nio.ch.SelChImpl source: shared objects file
[0.184s] sun.nio.ch.SocketChannelImpl source: shared objects file
[0.184s] sun.nio.ch.ChannelInputStream source: shared objects file
[0.184s] java.util.Properties$LineReader source: shared objects file
[0.184s] sun.nio.ch.NativeThread source: shared objects file
[0.184s] jdk.internal.misc.Blocker source: shared objects file
[0.184s] sun.nio.ch.Util$BufferCache source: shared objects file
[0.185s] sun.nio.ch.IOStatus source: shared objects file
[0.185s] java.lang.StringUTF16 source: shared objects file
[0.186s] java.util.concurrent.ConcurrentHashMap$EntrySetView source: shared objects file
[0.186s] java.util.concurrent.ConcurrentHashMap$EntryIterator source: shared objects file
[0.186s] java.util.concurrent.ConcurrentHashMap$MapEntry source: shared objects file
[0.186s] jdk.internal.access.JavaSecurityPropertiesAccess source: shared objects file
[0.186s] java.security.Security$2 source: shared objects file
[0.187s] java.net.InetAddress$InetAddressHolder source: shared objects file
[0.187s] java.util.SequencedSet source: shared objects file
[0.187s] java.util.SortedSet source: shared objects file
[0.187s] java.util.NavigableSet source: shared objects file
[0.187s] java.util.concurrent.ConcurrentSkipListSet source: shared objects file
[0.187s] java.util.concurrent.ConcurrentNavigableMap source: shared objects file
[0.187s] java.util.concurrent.ConcurrentSkipListMap source: shared objects file
[0.187s] java.util.concurrent.ConcurrentSkipListMap$Index source: shared objects file
[0.187s] java.util.concurrent.atomic.Striped64 source: shared objects file
[0.187s] java.util.concurrent.atomic.LongAdder source: shared objects file
[0.187s] java.util.concurrent.ConcurrentSkipListMap$Node source: shared objects file
[0.187s] java.net.InetAddressImpl source: shared objects file
[0.187s] java.net.Inet6AddressImpl source: shared objects file
[0.187s] java.net.Inet4AddressImpl source: shared objects file
[0.187s] java.net.spi.InetAddressResolver$LookupPolicy source: shared objects file
[0.187s] java.net.spi.InetAddressResolver source: shared objects file
[0.187s] java.net.InetAddress$PlatformResolver source: shared objects file
[0.187s] java.net.Inet4Address source: shared objects file
[0.187s] java.net.InetSocketAddress$InetSocketAddressHolder source: jrt:/java.base
[0.187s] java.nio.channels.ServerSocketChannel source: jrt:/java.base
[0.188s] sun.nio.ch.ServerSocketChannelImpl source: jrt:/java.base
[0.188s] sun.nio.ch.UnixDispatcher source: jrt:/java.base
[0.188s] sun.nio.ch.SocketDispatcher source: jrt:/java.base
[0.188s] sun.nio.ch.Net source: jrt:/java.base
[0.188s] sun.nio.ch.Net$1 source: jrt:/java.base
[0.188s] java.lang.StableValue source: jrt:/java.base
[0.188s] jdk.internal.lang.stable.StableValueImpl source: jrt:/java.base
[0.188s] java.net.Inet6Address source: shared objects file
[0.188s] java.net.Inet6Address$Inet6AddressHolder source: shared objects file
[0.188s] sun.net.ext.ExtendedSocketOptions source: jrt:/java.base
[0.188s] jdk.net.ExtendedSocketOptions source: jrt:/jdk.net
[0.188s] java.net.SocketOption source: jrt:/java.base
[0.188s] jdk.net.ExtendedSocketOptions$ExtSocketOption source: jrt:/jdk.net
[0.188s] jdk.net.UnixDomainPrincipal source: jrt:/jdk.net
[0.188s] jdk.net.ExtendedSocketOptions$PlatformSocketOptions source: jrt:/jdk.net
[0.188s] jdk.net.ExtendedSocketOptions$2 source: jrt:/jdk.net
[0.188s] jdk.internal.util.OperatingSystem source: jrt:/java.base
[0.189s] jdk.net.LinuxSocketOptions source: jrt:/jdk.net
[0.189s] jdk.internal.reflect.DirectConstructorHandleAccessor source: shared objects file
[0.189s] jdk.net.ExtendedSocketOptions$1 source: jrt:/jdk.net
[0.189s] java.util.Collections$UnmodifiableCollection$1 source: shared objects file
[0.189s] java.util.HashMap$KeySet source: shared objects file
[0.189s] java.util.HashMap$KeyIterator source: shared objects file
[0.190s] java.net.StandardProtocolFamily source: jrt:/java.base
[0.190s] java.net.StandardSocketOptions source: jrt:/java.base
[0.191s] java.net.StandardSocketOptions$StdSocketOption source: jrt:/java.base
[0.191s] java.net.NetworkInterface source: shared objects file
[0.191s] sun.nio.ch.ServerSocketChannelImpl$DefaultOptionsHolder source: jrt:/java.base
[0.191s] sun.nio.ch.SocketOptionRegistry source: jrt:/java.base
[0.191s] sun.nio.ch.SocketOptionRegistry$RegistryKey source: jrt:/java.base
[0.191s] sun.nio.ch.SocketOptionRegistry$LazyInitialization source: jrt:/java.base
[0.191s] sun.nio.ch.OptionKey source: jrt:/java.base
[0.191s] sun.nio.ch.ExtendedSocketOption source: jrt:/java.base
[0.191s] sun.nio.ch.ExtendedSocketOption$1 source: jrt:/java.base
[0.191s] sun.net.NetHooks source: jrt:/java.base
[0.191s] sun.net.NetHooks$Provider source: jrt:/java.base
[0.191s] sun.net.sdp.SdpProvider source: jrt:/java.base
[0.191s] dev.peregrine.server.transport.nio.NioHandle source: file:/tmp/w/start-m/s6.jar
[0.191s] dev.peregrine.server.transport.nio.NioListener source: file:/tmp/w/start-m/s6.jar
[0.192s] java.util.LinkedHashSet source: shared objects file
[0.192s] dev.peregrine.server.accept.Admission$Target source: file:/tmp/w/start-m/s6.jar
[0.192s] dev.peregrine.server.accept.Acceptor source: file:/tmp/w/start-m/s6.jar
[0.192s] dev.peregrine.server.accept.Acceptor$Resumption source: file:/tmp/w/start-m/s6.jar
[0.192s] java.nio.channels.spi.AbstractSelectionKey source: jrt:/java.base
[0.193s] sun.nio.ch.SelectionKeyImpl source: jrt:/java.base
[0.193s] java.util.ArrayList$SubList source: shared objects file
[0.194s] java.util.ArrayList$SubList$1 source: jrt:/java.base
[0.194s] dev.peregrine.server.accept.OpenFiles source: file:/tmp/w/start-m/s6.jar
[0.194s] java.io.FileInputStream$1 source: shared objects file
[0.194s] dev.peregrine.server.HttpServer$OnFatal source: file:/tmp/w/start-m/s6.jar
[0.195s] dev.peregrine.server.start.LateStart$Parts source: file:/tmp/w/start-m/s6.jar
[0.195s] dev.peregrine.server.start.RunningServer source: file:/tmp/w/start-m/s6.jar
[0.195s] dev.peregrine.server.start.RecordedLoop source: file:/tmp/w/start-m/s6.jar
[0.195s] dev.peregrine.server.jfr.RecordedServer source: file:/tmp/w/start-m/s6.jar
[0.195s] dev.peregrine.server.start.ServerObservers source: file:/tmp/w/start-m/s6.jar
[0.195s] jdk.jfr.FlightRecorder source: jrt:/jdk.jfr
[0.196s] dev.peregrine.server.loop.watch.LoopWatchdog source: file:/tmp/w/start-m/s6.jar
[0.196s] dev.peregrine.server.start.RunningServer$OnFatal source: file:/tmp/w/start-m/s6.jar
[0.197s] dev.peregrine.server.loop.watch.LoopWatchdog$Watched source: file:/tmp/w/start-m/s6.jar
[0.197s] dev.peregrine.server.loop.watch.LoopWatchdog$Watch source: file:/tmp/w/start-m/s6.jar
[0.198s] dev.peregrine.server.loop.watch.BlockedTurn$Fault source: file:/tmp/w/start-m/s6.jar
[0.198s] java.lang.System$Logger$Level source: jrt:/java.base
[0.199s] dev.peregrine.server.loop.watch.LoopRelief source: file:/tmp/w/start-m/s6.jar
[0.199s] dev.peregrine.server.loop.Relief source: file:/tmp/w/start-m/s6.jar
[0.199s] java.util.concurrent.BlockingQueue source: jrt:/java.base
[0.199s] java.util.AbstractQueue source: jrt:/java.base
[0.199s] java.util.concurrent.SynchronousQueue source: jrt:/java.base
[0.199s] java.util.concurrent.TransferQueue source: jrt:/java.base
[0.199s] java.util.concurrent.LinkedTransferQueue source: jrt:/java.base
[0.199s] java.util.concurrent.SynchronousQueue$Transferer source: jrt:/java.base
[0.199s] java.util.concurrent.ForkJoinPool$ManagedBlocker source: jrt:/java.base
[0.199s] java.util.concurrent.LinkedTransferQueue$DualNode source: jrt:/java.base
[0.200s] java.util.concurrent.ConcurrentLinkedQueue source: jrt:/java.base
[0.200s] java.util.concurrent.ConcurrentLinkedQueue$Node source: jrt:/java.base
[0.201s] dev.peregrine.server.loop.watch.LoopRelief$Checked source: file:/tmp/w/start-m/s6.jar
[0.201s] dev.peregrine.server.start.LateStart source: file:/tmp/w/start-m/s6.jar
[0.201s] dev.peregrine.server.start.LateStart$Work source: file:/tmp/w/start-m/s6.jar
[0.202s] dev.peregrine.server.start.LateStart$OnRequest source: file:/tmp/w/start-m/s6.jar
[0.203s] dev.peregrine.server.end.ServerEnd source: file:/tmp/w/start-m/s6.jar
[0.204s] dev.peregrine.server.start.RunningServer$OnClose source: file:/tmp/w/start-m/s6.jar
[0.204s] dev.peregrine.server.accept.CutShort source: file:/tmp/w/start-m/s6.jar
[0.205s] dev.peregrine.server.connection.Unfinished source: file:/tmp/w/start-m/s6.jar
[0.205s] java.util.concurrent.atomic.AtomicIntegerArray source: jrt:/java.base
[0.205s] java.lang.invoke.VarHandleInts$Array source: jrt:/java.base
[0.205s] dev.peregrine.server.end.ExitHook source: file:/tmp/w/start-m/s6.jar
[0.205s] dev.peregrine.cli.Main$Stop source: file:/tmp/w/start-m/s6.jar
[0.205s] java.lang.ApplicationShutdownHooks source: shared objects file
[0.205s] java.lang.ApplicationShutdownHooks$1 source: shared objects file
[0.205s] java.lang.Shutdown source: shared objects file
[0.205s] java.lang.Shutdown$Lock source: shared objects file
[0.206s] dev.peregrine.cli.HangUp source: file:/tmp/w/start-m/s6.jar
[0.206s] dev.peregrine.cli.StatusLines source: file:/tmp/w/start-m/s6.jar
[0.206s] dev.peregrine.cli.OwnProcess source: file:/tmp/w/start-m/s6.jar
[0.207s] sun.misc.SignalHandler source: jrt:/jdk.unsupported
[0.207s] dev.peregrine.cli.OnSignal source: file:/tmp/w/start-m/s6.jar
[0.207s] sun.misc.Signal source: jrt:/jdk.unsupported
[0.207s] sun.misc.Signal$InternalMiscHandler source: jrt:/jdk.unsupported
[0.207s] sun.misc.Signal$SunMiscHandler source: jrt:/jdk.unsupported
[0.208s] dev.peregrine.cli.Greeting source: file:/tmp/w/start-m/s6.jar
[0.208s] dev.peregrine.cli.Urls source: file:/tmp/w/start-m/s6.jar
[0.208s] dev.peregrine.parser.vector.VectorSupport source: file:/tmp/w/start-m/s6.jar
[0.209s] java.lang.Readable source: shared objects file
[0.209s] java.nio.CharBuffer source: shared objects file
[0.209s] java.nio.HeapCharBuffer source: shared objects file
[0.210s] java.nio.charset.CoderResult source: shared objects file
[0.210s] dev.peregrine.cli.Systemd source: file:/tmp/w/start-m/s6.jar
[0.210s] java.util.IdentityHashMap$IdentityHashMapIterator source: shared objects file
[0.210s] java.util.IdentityHashMap$KeyIterator source: shared objects file
[0.252s] java.util.concurrent.ConcurrentLinkedQueue$Itr source: jrt:/java.base
[0.325s] sun.nio.ch.SocketChannelImpl$DefaultOptionsHolder source: jrt:/java.base
[0.326s] dev.peregrine.server.transport.nio.NioSocket source: file:/tmp/w/start-m/s6.jar
[0.326s] dev.peregrine.server.connection.Deadline source: file:/tmp/w/start-m/s6.jar
[0.327s] dev.peregrine.server.turn.TurnQueue source: file:/tmp/w/start-m/s6.jar
[0.327s] dev.peregrine.server.connection.Closing source: file:/tmp/w/start-m/s6.jar
[0.327s] dev.peregrine.server.observe.CloseReason source: file:/tmp/w/start-m/s6.jar
[0.327s] dev.peregrine.server.connection.ConnectionInput source: file:/tmp/w/start-m/s6.jar
[0.328s] dev.peregrine.server.connection.ConnectionOutput source: file:/tmp/w/start-m/s6.jar
[0.328s] jdk.internal.event.Event source: jrt:/java.base
[0.328s] jdk.internal.event.SocketReadEvent source: jrt:/java.base
[0.329s] dev.peregrine.server.exchange.Exchange source: file:/tmp/w/start-m/s6.jar
[0.329s] dev.peregrine.http.Request source: file:/tmp/w/start-m/s6.jar
[0.329s] dev.peregrine.http.Response source: file:/tmp/w/start-m/s6.jar
[0.329s] dev.peregrine.server.exchange.state.ExchangeState source: file:/tmp/w/start-m/s6.jar
[0.330s] dev.peregrine.server.exchange.state.ReceivedHead source: file:/tmp/w/start-m/s6.jar
[0.330s] java.lang.MatchException source: jrt:/java.base
[0.331s] dev.peregrine.parser.RequestHead source: file:/tmp/w/start-m/s6.jar
[0.331s] dev.peregrine.protocol.HttpVersion source: file:/tmp/w/start-m/s6.jar
[0.331s] dev.peregrine.parser.field.FieldSection source: file:/tmp/w/start-m/s6.jar
[0.332s] dev.peregrine.parser.field.FieldLines source: file:/tmp/w/start-m/s6.jar
[0.332s] dev.peregrine.parser.field.FieldBits source: file:/tmp/w/start-m/s6.jar
[0.333s] dev.peregrine.parser.value.FramingFields source: file:/tmp/w/start-m/s6.jar
[0.333s] dev.peregrine.server.exchange.state.ExchangeProgress source: file:/tmp/w/start-m/s6.jar
[0.334s] dev.peregrine.server.exchange.state.Answer source: file:/tmp/w/start-m/s6.jar
[0.335s] dev.peregrine.server.exchange.state.AfterHandler source: file:/tmp/w/start-m/s6.jar
[0.335s] dev.peregrine.server.exchange.state.ResponseHead source: file:/tmp/w/start-m/s6.jar
[0.336s] dev.peregrine.http.HttpStatus source: file:/tmp/w/start-m/s6.jar
[0.336s] dev.peregrine.server.exchange.state.ExchangeUse source: file:/tmp/w/start-m/s6.jar
[0.336s] dev.peregrine.server.exchange.state.BeginLimit source: file:/tmp/w/start-m/s6.jar
[0.336s] dev.peregrine.server.exchange.message.ExchangeEnd source: file:/tmp/w/start-m/s6.jar
[0.337s] dev.peregrine.server.exchange.message.ResponseSender source: file:/tmp/w/start-m/s6.jar
[0.338s] dev.peregrine.server.exchange.message.ExchangeFailure source: file:/tmp/w/start-m/s6.jar
[0.338s] dev.peregrine.server.exchange.message.Calls source: file:/tmp/w/start-m/s6.jar
[0.338s] dev.peregrine.server.exchange.message.RequestContent source: file:/tmp/w/start-m/s6.jar
[0.338s] dev.peregrine.http.BodyListener source: file:/tmp/w/start-m/s6.jar
[0.338s] dev.peregrine.http.Bytes source: file:/tmp/w/start-m/s6.jar
[0.338s] dev.peregrine.http.ContentRejectedException source: file:/tmp/w/start-m/s6.jar
[0.339s] dev.peregrine.server.exchange.message.RequestContent$1 source: file:/tmp/w/start-m/s6.jar
[0.339s] dev.peregrine.server.exchange.run.HandlerRun source: file:/tmp/w/start-m/s6.jar
[0.339s] dev.peregrine.server.exchange.message.PendingWork source: file:/tmp/w/start-m/s6.jar
[0.339s] dev.peregrine.server.exchange.run.FirstStep source: file:/tmp/w/start-m/s6.jar
[0.339s] dev.peregrine.server.exchange.run.ExchangeTurns source: file:/tmp/w/start-m/s6.jar
[0.340s] dev.peregrine.server.exchange.view.ExchangeRequest source: file:/tmp/w/start-m/s6.jar
[0.340s] dev.peregrine.http.RequestBody source: file:/tmp/w/start-m/s6.jar
[0.340s] dev.peregrine.http.PathSegments source: file:/tmp/w/start-m/s6.jar
[0.340s] dev.peregrine.server.exchange.run.LeasedCall source: file:/tmp/w/start-m/s6.jar
[0.340s] dev.peregrine.server.exchange.view.ExchangeResponse source: file:/tmp/w/start-m/s6.jar
[0.340s] dev.peregrine.http.ResponseStream source: file:/tmp/w/start-m/s6.jar
[0.341s] dev.peregrine.server.tunnel.TunnelUser source: file:/tmp/w/start-m/s6.jar
[0.341s] dev.peregrine.http.ScheduledWork source: file:/tmp/w/start-m/s6.jar
[0.341s] dev.peregrine.server.exchange.state.PooledOutput source: file:/tmp/w/start-m/s6.jar
[0.341s] dev.peregrine.server.exchange.view.ContentOutputStream source: file:/tmp/w/start-m/s6.jar
[0.341s] dev.peregrine.server.http1.ContentFraming source: file:/tmp/w/start-m/s6.jar
[0.342s] dev.peregrine.parser.field.FastLines source: file:/tmp/w/start-m/s6.jar
[0.343s] dev.peregrine.parser.HeadRules source: file:/tmp/w/start-m/s6.jar
[0.343s] dev.peregrine.protocol.grammar.Ascii source: file:/tmp/w/start-m/s6.jar
[0.343s] dev.peregrine.parser.value.Authority source: file:/tmp/w/start-m/s6.jar
[0.344s] dev.peregrine.base.Latin1 source: file:/tmp/w/start-m/s6.jar
[0.344s] dev.peregrine.server.exchange.state.HttpStream$Rest source: file:/tmp/w/start-m/s6.jar
[0.344s] dev.peregrine.base.FieldBytes source: file:/tmp/w/start-m/s6.jar
[0.345s] jdk.internal.event.SocketWriteEvent source: jrt:/java.base
[0.359s] jdk.internal.misc.Signal$1 source: jrt:/java.base
[0.359s] jdk.internal.logger.LazyLoggers source: jrt:/java.base
[0.359s] jdk.internal.logger.LazyLoggers$1 source: jrt:/java.base
[0.359s] jdk.internal.logger.LazyLoggers$LazyLoggerFactories source: jrt:/java.base
[0.359s] java.lang.System$LoggerFinder source: shared objects file
[0.359s] jdk.internal.logger.DefaultLoggerFinder source: shared objects file
[0.359s] sun.util.logging.PlatformLogger$Bridge source: shared objects file
[0.359s] sun.util.logging.PlatformLogger$ConfigurableBridge source: shared objects file
[0.359s] jdk.internal.logger.BootstrapLogger source: shared objects file
[0.359s] jdk.internal.logger.BootstrapLogger$DetectBackend source: shared objects file
[0.361s] java.util.concurrent.CopyOnWriteArrayList$COWIterator source: shared objects file
[0.361s] sun.util.logging.internal.LoggingProviderImpl source: shared objects file
[0.361s] sun.util.logging.internal.LoggingProviderImpl$LogManagerAccess source: shared objects file
[0.361s] java.util.ServiceLoader$Provider source: shared objects file
[0.361s] java.util.ServiceLoader$ProviderImpl source: shared objects file
[0.361s] jdk.internal.logger.BootstrapLogger$LoggingBackend source: shared objects file
[0.361s] jdk.internal.logger.LoggerFinderLoader source: jrt:/java.base
[0.361s] jdk.internal.logger.BootstrapLogger$BootstrapExecutors source: shared objects file
[0.361s] jdk.internal.logger.LoggerFinderLoader$TemporaryLoggerFinder source: jrt:/java.base
[0.361s] java.util.logging.LogManager source: shared objects file
[0.361s] java.util.logging.Level source: shared objects file
[0.361s] java.util.logging.Level$KnownLevel source: shared objects file
[0.362s] java.util.logging.Level$KnownLevel$$Lambda/0x800000020 source: shared objects file
[0.362s] java.util.logging.Level$KnownLevel$$Lambda/0x800000021 source: shared objects file
[0.362s] java.util.logging.LogManager$LoggerContext source: shared objects file
[0.362s] java.util.logging.LogManager$SystemLoggerContext source: shared objects file
[0.362s] java.util.logging.LogManager$LogNode source: shared objects file
[0.362s] java.util.Collections$SynchronizedMap source: shared objects file
[0.362s] java.util.logging.LogManager$Cleaner source: shared objects file
[0.362s] java.util.logging.LogManager$LoggingProviderAccess source: shared objects file
[0.362s] java.util.logging.Logger source: shared objects file
[0.362s] java.util.logging.LogManager$RootLogger source: shared objects file
[0.362s] java.util.logging.Handler source: shared objects file
[0.362s] java.util.logging.Logger$LoggerBundle source: shared objects file
[0.362s] java.util.logging.Logger$ConfigurationData source: shared objects file
[0.362s] java.util.Formatter source: shared objects file
[0.362s] java.util.Locale$Category source: shared objects file
[0.362s] java.util.Formatter$FormatString source: shared objects file
[0.362s] java.util.Formatter$FixedString source: jrt:/java.base
[0.362s] java.util.Formatter$Conversion source: shared objects file
[0.362s] java.util.Formatter$FormatSpecifier source: shared objects file
[0.362s] java.util.Formattable source: shared objects file
[0.362s] java.util.Formatter$Flags source: shared objects file
[0.363s] java.util.logging.LogManager$LoggerWeakRef source: shared objects file
[0.363s] java.lang.invoke.StringConcatFactory source: shared objects file
[0.363s] java.lang.invoke.MethodHandleImpl$AsVarargsCollector source: shared objects file
[0.364s] java.lang.invoke.BoundMethodHandle$Species_LL source: shared objects file
[0.365s] java.lang.invoke.LambdaForm$MH/0x0000000048070000 source: __JVM_LookupDefineClass__
[0.366s] java.util.function.Predicate source: shared objects file
[0.366s] java.util.logging.LogManager$VisitedLoggers source: shared objects file
[0.366s] java.util.Collections$3 source: shared objects file
[0.366s] java.util.concurrent.ConcurrentHashMap$KeyIterator source: shared objects file
[0.367s] java.util.Properties$EntrySet source: shared objects file
[0.367s] java.util.Collections$SynchronizedCollection source: shared objects file
[0.367s] java.util.Collections$SynchronizedSet source: shared objects file
[0.367s] java.util.Hashtable$Enumerator source: shared objects file
[0.367s] java.util.logging.Level$$Lambda/0x80000001f source: shared objects file
[0.368s] java.util.ArrayList$ArrayListSpliterator source: shared objects file
[0.368s] java.util.stream.ReferencePipeline$StatelessOp source: shared objects file
[0.368s] java.util.stream.ReferencePipeline$3 source: shared objects file
[0.368s] java.util.stream.StreamShape source: shared objects file
[0.368s] java.util.logging.Level$KnownLevel$$Lambda/0x800000022 source: shared objects file
[0.368s] java.util.stream.ReferencePipeline$7 source: shared objects file
[0.368s] java.util.stream.FindOps source: shared objects file
[0.368s] java.util.stream.Sink source: shared objects file
[0.368s] java.util.stream.TerminalSink source: shared objects file
[0.368s] java.util.stream.FindOps$FindSink source: shared objects file
[0.368s] java.util.stream.FindOps$FindSink$OfRef source: shared objects file
[0.368s] java.util.stream.FindOps$FindSink$OfRef$$Lambda/0x800000049 source: shared objects file
[0.368s] java.util.stream.FindOps$FindSink$OfRef$$Lambda/0x800000048 source: shared objects file
[0.368s] java.util.stream.TerminalOp source: shared objects file
[0.368s] java.util.stream.FindOps$FindOp source: shared objects file
[0.368s] java.util.stream.ReferencePipeline$7$1FlatMap source: shared objects file
[0.368s] java.util.stream.Sink$ChainedReference source: shared objects file
[0.368s] java.util.stream.ReferencePipeline$3$1 source: shared objects file
[0.368s] java.util.stream.Streams$AbstractStreamBuilderImpl source: shared objects file
[0.368s] java.util.stream.Stream$Builder source: shared objects file
[0.368s] java.util.stream.Streams$StreamBuilderImpl source: shared objects file
[0.368s] java.util.stream.Streams source: jrt:/java.base
[0.368s] java.util.stream.MatchOps$MatchKind source: shared objects file
[0.368s] java.util.stream.MatchOps source: shared objects file
[0.368s] java.util.stream.MatchOps$MatchOp source: shared objects file
[0.368s] java.util.stream.MatchOps$BooleanTerminalSink source: shared objects file
[0.369s] java.util.stream.MatchOps$$Lambda/0x800000004 source: shared objects file
[0.369s] java.util.stream.MatchOps$1MatchSink source: shared objects file
[0.369s] java.util.IdentityHashMap$Values source: shared objects file
[0.369s] sun.util.logging.PlatformLogger$ConfigurableBridge$LoggerConfiguration source: jrt:/java.base
[0.369s] sun.util.logging.internal.LoggingProviderImpl$JULWrapper source: jrt:/java.logging
[0.371s] java.util.Collections$2 source: shared objects file
[0.375s] dev.peregrine.server.end.ServerEnd$$Lambda/0x000000004806fa08 source: dev.peregrine.server.end.ServerEnd
[0.375s] dev.peregrine.server.end.ServerEnd$$Lambda/0x000000004806fc50 source: dev.peregrine.server.end.ServerEnd
[0.376s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048074000 source: dev.peregrine.server.end.ServerEnd
[0.376s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048074238 source: dev.peregrine.server.end.ServerEnd
[0.376s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048074468 source: dev.peregrine.server.end.ServerEnd
[0.377s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048074698 source: dev.peregrine.server.end.ServerEnd
[0.377s] java.util.function.IntFunction source: shared objects file
[0.377s] java.util.stream.ReferencePipeline$$Lambda/0x0000000048024380 source: java.util.stream.ReferencePipeline
[0.378s] java.lang.invoke.LambdaForm$DMH/0x0000000048070400 source: __JVM_LookupDefineClass__
[0.378s] java.lang.classfile.constantpool.InterfaceMethodRefEntry source: shared objects file
[0.378s] jdk.internal.classfile.impl.AbstractPoolEntry$InterfaceMethodRefEntryImpl source: shared objects file
[0.378s] dev.peregrine.server.accept.Worker$$Lambda/0x00000000480748e0 source: dev.peregrine.server.accept.Worker
[0.380s] java.util.stream.Nodes source: shared objects file
[0.380s] java.util.stream.Node source: shared objects file
[0.380s] java.util.stream.Nodes$EmptyNode source: shared objects file
[0.380s] java.util.stream.Nodes$EmptyNode$OfRef source: shared objects file
[0.380s] java.util.stream.Node$OfPrimitive source: shared objects file
[0.380s] java.util.stream.Node$OfInt source: shared objects file
[0.380s] java.util.stream.Nodes$EmptyNode$OfInt source: shared objects file
[0.380s] java.util.stream.Node$OfLong source: shared objects file
[0.380s] java.util.stream.Nodes$EmptyNode$OfLong source: shared objects file
[0.380s] java.util.stream.Node$OfDouble source: shared objects file
[0.380s] java.util.stream.Nodes$EmptyNode$OfDouble source: shared objects file
[0.380s] java.util.stream.Node$Builder source: shared objects file
[0.381s] java.util.stream.Nodes$ArrayNode source: jrt:/java.base
[0.381s] java.util.stream.Nodes$FixedNodeBuilder source: jrt:/java.base
[0.381s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048074b18 source: dev.peregrine.server.end.ServerEnd
[0.381s] java.util.stream.ReferencePipeline$2 source: shared objects file
[0.381s] java.util.stream.AbstractSpinedBuffer source: shared objects file
[0.381s] java.util.stream.SpinedBuffer source: shared objects file
[0.381s] java.util.stream.Nodes$SpinedNodeBuilder source: shared objects file
[0.381s] java.util.stream.ReferencePipeline$2$1 source: shared objects file
[0.382s] java.lang.invoke.LambdaForm$DMH/0x0000000048070800 source: __JVM_LookupDefineClass__
[0.382s] dev.peregrine.server.accept.Acceptor$$Lambda/0x0000000048074d78 source: dev.peregrine.server.accept.Acceptor
[0.382s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048074fa8 source: dev.peregrine.server.end.ServerEnd
[0.382s] jdk.internal.event.ThreadSleepEvent source: jrt:/java.base
[0.383s] java.lang.invoke.LambdaForm$DMH/0x0000000048070c00 source: __JVM_LookupDefineClass__
[0.383s] dev.peregrine.server.accept.Worker$$Lambda/0x00000000480751d8 source: dev.peregrine.server.accept.Worker
[0.383s] java.lang.invoke.LambdaForm$DMH/0x0000000048071000 source: __JVM_LookupDefineClass__
[0.383s] dev.peregrine.server.accept.Acceptor$$Lambda/0x0000000048075410 source: dev.peregrine.server.accept.Acceptor
[0.384s] java.lang.invoke.LambdaForm$DMH/0x0000000048071400 source: __JVM_LookupDefineClass__
[0.384s] dev.peregrine.server.accept.Acceptor$$Lambda/0x0000000048075640 source: dev.peregrine.server.accept.Acceptor
[0.389s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048075870 source: dev.peregrine.server.end.ServerEnd
[0.390s] java.lang.invoke.LambdaForm$DMH/0x0000000048071800 source: __JVM_LookupDefineClass__
[0.390s] java.lang.invoke.LambdaForm$DMH/0x0000000048071c00 source: __JVM_LookupDefineClass__
[0.391s] java.lang.invoke.LambdaForm$MH/0x0000000048072000 source: __JVM_LookupDefineClass__
[0.393s] java.lang.invoke.LambdaForm$DMH/0x0000000048072400 source: __JVM_LookupDefineClass__
[0.393s] dev.peregrine.server.accept.Worker$$Lambda/0x0000000048075aa8 source: dev.peregrine.server.accept.Worker
[0.394s] java.lang.invoke.LambdaForm$DMH/0x0000000048072800 source: __JVM_LookupDefineClass__
[0.396s] dev.peregrine.server.accept.Worker$$Lambda/0x0000000048075ce0 source: dev.peregrine.server.accept.Worker
[0.398s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048075f18 source: dev.peregrine.server.end.ServerEnd
[0.398s] java.util.function.ToIntFunction source: shared objects file
[0.398s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048076148 source: dev.peregrine.server.end.ServerEnd
[0.399s] java.util.stream.IntStream source: jrt:/java.base
[0.399s] java.util.stream.IntPipeline source: jrt:/java.base
[0.399s] java.util.stream.IntPipeline$StatelessOp source: jrt:/java.base
[0.399s] java.util.stream.ReferencePipeline$4 source: jrt:/java.base
[0.399s] java.util.function.IntBinaryOperator source: jrt:/java.base
[0.399s] java.util.stream.IntPipeline$$Lambda/0x00000000480263a0 source: java.util.stream.IntPipeline
[0.399s] java.util.stream.ReduceOps source: shared objects file
[0.400s] java.util.stream.ReduceOps$ReduceOp source: shared objects file
[0.400s] java.util.stream.ReduceOps$6 source: jrt:/java.base
[0.400s] java.util.stream.ReduceOps$AccumulatingSink source: shared objects file
[0.400s] java.util.function.IntConsumer source: shared objects file
[0.400s] java.util.stream.Sink$OfInt source: jrt:/java.base
[0.400s] java.util.stream.ReduceOps$5ReducingSink source: jrt:/java.base
[0.400s] java.util.stream.ReferencePipeline$4$1 source: jrt:/java.base
[0.403s] dev.peregrine.server.loop.watch.LoopRelief$Shift source: file:/tmp/w/start-m/s6.jar
[0.404s] dev.peregrine.server.start.Features$$Lambda/0x0000000048076588 source: dev.peregrine.server.start.Features
[0.404s] dev.peregrine.server.end.ServerEnd$$Lambda/0x00000000480767c0 source: dev.peregrine.server.end.ServerEnd
[0.405s] dev.peregrine.server.accept.Worker$$Lambda/0x0000000048076a00 source: dev.peregrine.server.accept.Worker
[0.407s] dev.peregrine.server.loop.EventLoop$$Lambda/0x0000000048076c30 source: dev.peregrine.server.loop.EventLoop
[0.407s] java.util.concurrent.locks.AbstractQueuedSynchronizer$Node source: jrt:/java.base
[0.407s] java.util.concurrent.locks.AbstractQueuedSynchronizer$ExclusiveNode source: jrt:/java.base
[0.407s] java.util.concurrent.locks.AbstractQueuedSynchronizer$SharedNode source: jrt:/java.base
[0.407s] dev.peregrine.server.accept.Worker$$Lambda/0x0000000048076e60 source: dev.peregrine.server.accept.Worker
[0.408s] dev.peregrine.server.accept.Worker$$Lambda/0x0000000048077098 source: dev.peregrine.server.accept.Worker
[0.408s] dev.peregrine.server.accept.Worker$$Lambda/0x00000000480772d8 source: dev.peregrine.server.accept.Worker
[0.408s] dev.peregrine.server.layer.SocketLayer source: file:/tmp/w/start-m/s6.jar
[0.408s] dev.peregrine.server.accept.EndpointStack$$Lambda/0x0000000048077718 source: dev.peregrine.server.accept.EndpointStack
[0.411s] jdk.internal.foreign.MemorySessionImpl$ResourceList$ResourceCleanup$1 source: jrt:/java.base
[0.415s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048077950 source: dev.peregrine.server.end.ServerEnd
[0.415s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048077b98 source: dev.peregrine.server.end.ServerEnd
[0.416s] dev.peregrine.server.end.ServerEnd$$Lambda/0x0000000048073000 source: dev.peregrine.server.end.ServerEnd
[0.416s] dev.peregrine.server.accept.CutShort$$Lambda/0x0000000048073248 source: dev.peregrine.server.accept.CutShort
[0.417s] java.util.logging.LogRecord source: jrt:/java.logging
[0.417s] java.time.InstantSource source: shared objects file
[0.417s] java.time.Clock source: shared objects file
[0.417s] dev.peregrine.server.observe.DrainResult source: file:/tmp/w/start-m/s6.jar
[0.417s] java.time.ZoneId source: shared objects file
[0.417s] java.util.TimeZone source: shared objects file
[0.417s] sun.util.calendar.ZoneInfo source: shared objects file
[0.417s] sun.util.calendar.ZoneInfoFile source: shared objects file
[0.417s] java.io.DataInputStream source: shared objects file
[0.417s] jdk.internal.util.ByteArray source: shared objects file
[0.417s] java.lang.invoke.VarHandleByteArrayAsChars$ByteArrayViewVarHandle source: shared objects file
[0.417s] java.lang.invoke.VarHandleByteArrayAsChars$ArrayHandle source: shared objects file
[0.418s] java.lang.invoke.VarHandleByteArrayAsInts$ByteArrayViewVarHandle source: shared objects file
[0.418s] java.lang.invoke.VarHandleByteArrayAsInts$ArrayHandle source: shared objects file
[0.418s] java.lang.invoke.VarHandleByteArrayAsFloats$ByteArrayViewVarHandle source: shared objects file
[0.418s] java.lang.invoke.VarHandleByteArrayAsFloats$ArrayHandle source: shared objects file
[0.418s] java.lang.invoke.VarHandleByteArrayAsDoubles$ByteArrayViewVarHandle source: shared objects file
[0.418s] java.lang.invoke.VarHandleByteArrayAsDoubles$ArrayHandle source: shared objects file
[0.424s] sun.util.calendar.ZoneInfoFile$ZoneOffsetTransitionRule source: shared objects file
[0.424s] java.time.ZoneRegion source: shared objects file
[0.425s] java.time.zone.ZoneRulesProvider source: jrt:/java.base
[0.425s] java.time.zone.TzdbZoneRulesProvider source: jrt:/java.base
[0.435s] java.io.Externalizable source: jrt:/java.base
[0.436s] java.time.zone.Ser source: jrt:/java.base
[0.436s] java.time.zone.ZoneRules source: shared objects file
[0.436s] java.time.zone.ZoneOffsetTransitionRule source: shared objects file
[0.436s] java.time.chrono.ChronoLocalDateTime source: shared objects file
[0.436s] java.time.LocalDateTime source: shared objects file
[0.436s] java.time.ZoneOffset source: shared objects file
[0.436s] java.util.concurrent.atomic.AtomicReferenceArray source: shared objects file
[0.436s] java.lang.invoke.VarHandleReferences$Array source: shared objects file
[0.436s] java.time.LocalTime source: shared objects file
[0.436s] java.time.Clock$SystemClock source: shared objects file
[0.436s] java.time.format.DateTimeFormatter source: shared objects file
[0.436s] java.time.format.DateTimeFormatterBuilder source: shared objects file
[0.436s] java.time.temporal.TemporalQuery source: shared objects file
[0.436s] java.time.format.DateTimeFormatterBuilder$$Lambda/0x80000001c source: shared objects file
[0.437s] java.util.regex.Pattern source: shared objects file
[0.437s] java.util.regex.Pattern$Node source: shared objects file
[0.437s] java.util.regex.Pattern$LastNode source: shared objects file
[0.437s] java.util.regex.Pattern$GroupHead source: shared objects file
[0.437s] java.util.regex.Pattern$CharPredicate source: shared objects file
[0.437s] java.util.regex.Pattern$BmpCharPredicate source: shared objects file
[0.437s] java.util.regex.Pattern$$Lambda/0x800000027 source: shared objects file
[0.437s] java.util.regex.Pattern$CharProperty source: shared objects file
[0.437s] java.util.regex.Pattern$BmpCharProperty source: shared objects file
[0.437s] java.util.regex.ASCII source: shared objects file
[0.437s] java.util.regex.Pattern$Curly source: shared objects file
[0.437s] java.util.regex.Pattern$Qtype source: shared objects file
[0.437s] java.util.regex.Pattern$CharPropertyGreedy source: shared objects file
[0.437s] java.util.regex.Pattern$BmpCharPropertyGreedy source: shared objects file
[0.437s] java.util.regex.Pattern$BitClass source: shared objects file
[0.437s] java.util.regex.Pattern$SliceNode source: shared objects file
[0.437s] java.util.regex.Pattern$Slice source: shared objects file
[0.437s] java.util.regex.Pattern$Begin source: shared objects file
[0.437s] java.util.regex.Pattern$First source: shared objects file
[0.437s] java.util.regex.Pattern$Start source: shared objects file
[0.437s] java.util.regex.Pattern$TreeInfo source: shared objects file
[0.437s] java.time.temporal.IsoFields source: shared objects file
[0.437s] java.time.temporal.IsoFields$Field source: shared objects file
[0.437s] java.time.temporal.IsoFields$Field$1 source: shared objects file
[0.437s] java.time.temporal.IsoFields$Field$2 source: shared objects file
[0.437s] java.time.temporal.IsoFields$Field$3 source: shared objects file
[0.437s] java.time.temporal.IsoFields$Field$4 source: shared objects file
[0.437s] java.time.temporal.IsoFields$Unit source: shared objects file
[0.437s] java.time.temporal.JulianFields source: shared objects file
[0.437s] java.time.temporal.JulianFields$Field source: shared objects file
[0.437s] java.time.format.SignStyle source: shared objects file
[0.437s] java.time.format.DateTimeFormatterBuilder$DateTimePrinterParser source: shared objects file
[0.437s] java.time.format.DateTimeFormatterBuilder$NumberPrinterParser source: shared objects file
[0.437s] java.time.format.DateTimeFormatterBuilder$CharLiteralPrinterParser source: shared objects file
[0.437s] java.time.format.ResolverStyle source: shared objects file
[0.437s] java.time.chrono.Chronology source: shared objects file
[0.437s] java.time.chrono.AbstractChronology source: shared objects file
[0.437s] java.time.chrono.IsoChronology source: shared objects file
[0.438s] java.time.format.DateTimeFormatterBuilder$CompositePrinterParser source: shared objects file
[0.438s] java.time.format.DecimalStyle source: shared objects file
[0.438s] java.time.format.DateTimeFormatterBuilder$SettingsParser source: shared objects file
[0.438s] java.time.format.DateTimeFormatterBuilder$OffsetIdPrinterParser source: shared objects file
[0.438s] java.time.format.DateTimeFormatterBuilder$NanosPrinterParser source: shared objects file
[0.438s] java.time.format.DateTimeFormatterBuilder$ZoneIdPrinterParser source: shared objects file
[0.438s] java.time.format.DateTimeFormatterBuilder$StringLiteralPrinterParser source: shared objects file
[0.438s] java.time.format.DateTimeFormatterBuilder$InstantPrinterParser source: shared objects file
[0.438s] java.time.format.TextStyle source: shared objects file
[0.438s] java.util.Collections$SingletonMap source: shared objects file
[0.438s] java.time.format.DateTimeTextProvider$LocaleStore source: shared objects file
[0.438s] java.util.AbstractMap$SimpleImmutableEntry source: shared objects file
[0.438s] java.util.Collections$SingletonSet source: shared objects file
[0.438s] java.util.Collections$1 source: shared objects file
[0.438s] java.util.LinkedHashMap$LinkedEntrySet source: shared objects file
[0.438s] java.util.LinkedHashMap$LinkedHashIterator source: shared objects file
[0.438s] java.util.LinkedHashMap$LinkedEntryIterator source: shared objects file
[0.438s] java.time.format.DateTimeTextProvider source: shared objects file
[0.438s] java.time.format.DateTimeTextProvider$1 source: shared objects file
[0.438s] java.util.Arrays$LegacyMergeSort source: shared objects file
[0.438s] java.util.TimSort source: shared objects file
[0.438s] java.time.format.DateTimeFormatterBuilder$1 source: shared objects file
[0.438s] java.time.format.DateTimeFormatterBuilder$TextPrinterParser source: shared objects file
[0.438s] java.time.chrono.ChronoPeriod source: shared objects file
[0.438s] java.time.Period source: shared objects file
[0.438s] java.time.format.DateTimeFormatter$$Lambda/0x80000001a source: shared objects file
[0.438s] java.time.format.DateTimeFormatter$$Lambda/0x80000001b source: shared objects file
[0.438s] java.time.format.DateTimePrintContext source: shared objects file
[0.438s] java.time.LocalDate$1 source: shared objects file
[0.438s] java.time.format.DateTimeFormatterBuilder$2 source: shared objects file
[0.438s] java.time.LocalTime$1 source: shared objects file
